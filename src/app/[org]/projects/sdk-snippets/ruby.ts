import type { Snippets } from './snippet.ts';

export const RUBY_SNIPPETS: Snippets = {
  ruby: (dsn) => [
    { title: 'Install', text: 'bundle add sentry-ruby' },
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
    { title: 'Verify', text: 'bundle exec ruby app.rb' },
  ],
  'ruby-rails': (dsn) => [
    { title: 'Install', text: 'bundle add sentry-ruby sentry-rails' },
    {
      title: 'Initialize',
      hint: 'Add this to config/initializers/sentry.rb.',
      text: `Sentry.init do |config|
  config.dsn = "${dsn}"
  config.breadcrumbs_logger = [:active_support_logger, :http_logger]
end`,
    },
    {
      title: 'Verify',
      text: `bin/rails runner 'Sentry.capture_message("Hello from Rails")'`,
    },
  ],
};
