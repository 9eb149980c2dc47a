//! Everything that the SDK for Rust sends by its own means, once.
use sentry::protocol::{Attachment, Level, SpanStatus};

fn main() {
    let options = sentry::ClientOptions::new()
        .dsn(&std::env::var("SENTRY_DSN").expect("SENTRY_DSN"))
        .release("conformance-rust@1.0.0")
        .environment("conformance")
        .traces_sample_rate(1.0)
        .send_default_pii(true)
        .auto_session_tracking(true)
        .session_mode(sentry::SessionMode::Application);
    let guard = sentry::init(options);
    sentry::configure_scope(|scope| {
        scope.add_attachment(Attachment {
            buffer: b"attached by Rust".to_vec(),
            filename: "notes.txt".into(),
            content_type: Some("text/plain".into()),
            ty: None,
        });
    });
    let transaction = sentry::start_transaction(sentry::TransactionContext::new("GET /ledger", "http.server"));
    let span = transaction.start_child("db.query", "SELECT 1");
    span.finish();
    let failure: Result<u32, _> = "seven".parse::<u32>();
    if let Err(error) = failure {
        sentry::capture_error(&error);
    }
    sentry::capture_message("A message of Rust", Level::Warning);
    transaction.set_status(SpanStatus::Ok);
    transaction.finish();
    sentry::logger_info!(attempt = 3, "A log of Rust");
    sentry::end_session();
    guard.flush(Some(std::time::Duration::from_secs(20)));
}
