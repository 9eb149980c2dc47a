import { type Guides, install, startAndOpen, verify } from './snippet.ts';

export const RUBY_GUIDES: Guides = {
  ruby: {
    docs: 'ruby/',
    traces: null,
    steps: (dsn) => [
      install('bundle add sentry-ruby'),
      {
        title: 'Initialize',
        file: 'app.rb',
        text: `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "${dsn}"
end

begin
  1 / 0
rescue ZeroDivisionError => e
  Sentry.capture_exception(e)
end`,
      },
      verify('bundle exec ruby app.rb'),
    ],
  },
  'ruby-rails': {
    docs: 'ruby/guides/rails/',
    traces: null,
    steps: (dsn) => [
      install('bundle add sentry-ruby sentry-rails'),
      {
        title: 'Initialize',
        file: 'config/initializers/sentry.rb',
        text: `Sentry.init do |config|
  config.dsn = "${dsn}"
  config.breadcrumbs_logger = [:active_support_logger, :http_logger]
end`,
      },
      verify(`bin/rails runner 'Sentry.capture_message("Hello from Rails")'`),
    ],
  },
  'ruby-rack': {
    docs: 'ruby/guides/rack/',
    traces: null,
    steps: (dsn) => [
      install('bundle add sentry-ruby rack rackup puma', 'For Sinatra and other Rack applications.'),
      {
        title: 'Initialize',
        file: 'config.ru',
        text: `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "${dsn}"
end

use Sentry::Rack::CaptureExceptions

run ->(env) { raise "Hello from Rack" }`,
      },
      startAndOpen('bundle exec rackup --port 9292', 'http://localhost:9292'),
    ],
  },
};
