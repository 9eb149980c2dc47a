import io.sentry.Attachment;
import io.sentry.CheckIn;
import io.sentry.CheckInStatus;
import io.sentry.ITransaction;
import io.sentry.MonitorConfig;
import io.sentry.MonitorSchedule;
import io.sentry.Sentry;
import io.sentry.SentryLevel;
import io.sentry.protocol.Feedback;
import io.sentry.protocol.SentryId;
import java.nio.charset.StandardCharsets;

/** Everything that the SDK for Java sends by its own means, once. */
public final class Program {
  public static void main(String[] arguments) throws Exception {
    Sentry.init(
        options -> {
          options.setDsn(System.getenv("SENTRY_DSN"));
          options.setRelease("conformance-java@1.0.0");
          options.setEnvironment("conformance");
          options.setTracesSampleRate(1.0);
          options.setSendDefaultPii(true);
          options.getLogs().setEnabled(true);
        });
    Sentry.startSession();
    Sentry.configureScope(
        scope ->
            scope.addAttachment(
                new Attachment("attached by Java".getBytes(StandardCharsets.UTF_8), "notes.txt", "text/plain")));
    ITransaction transaction = Sentry.startTransaction("GET /ledger", "http.server");
    transaction.startChild("db.query", "SELECT 1").finish();
    SentryId eventId;
    try {
      throw new IllegalStateException("The card was refused");
    } catch (IllegalStateException failure) {
      eventId = Sentry.captureException(failure);
    }
    Sentry.captureMessage("A message of Java", SentryLevel.WARNING);
    transaction.finish();
    Sentry.logger().info("A log of %s", "Java");
    MonitorConfig config = new MonitorConfig(MonitorSchedule.crontab("0 3 * * *"));
    CheckIn started = new CheckIn("nightly", CheckInStatus.IN_PROGRESS);
    started.setMonitorConfig(config);
    SentryId checkInId = Sentry.captureCheckIn(started);
    Sentry.captureCheckIn(new CheckIn(checkInId, "nightly", CheckInStatus.OK));
    Feedback feedback = new Feedback("It broke");
    feedback.setName("Ada");
    feedback.setContactEmail("ada@example.com");
    feedback.setAssociatedEventId(eventId);
    Sentry.captureFeedback(feedback);
    Sentry.endSession();
    Sentry.flush(20_000);
    Sentry.close();
  }
}
