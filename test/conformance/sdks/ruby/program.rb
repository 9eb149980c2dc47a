# Everything that the SDK for Ruby sends by its own means, once.
require 'sentry-ruby'

Sentry.init do |config|
  config.dsn = ENV.fetch('SENTRY_DSN')
  config.release = 'conformance-ruby@1.0.0'
  config.environment = 'conformance'
  config.traces_sample_rate = 1.0
  config.enable_logs = true
  config.background_worker_threads = 0
end

Sentry.add_attachment(bytes: 'attached by Ruby', filename: 'notes.txt', content_type: 'text/plain')
transaction = Sentry.start_transaction(name: 'GET /ledger', op: 'http.server')
transaction.start_child(op: 'db.query', description: 'SELECT 1').finish
begin
  Integer('seven')
rescue ArgumentError => e
  Sentry.capture_exception(e)
end
Sentry.capture_message('A message of Ruby', level: :warning)
transaction.finish
Sentry.logger.info('A log of Ruby')
id = Sentry.capture_check_in('nightly', :in_progress)
Sentry.capture_check_in('nightly', :ok, check_in_id: id, duration: 3)
Sentry.get_current_client.flush
