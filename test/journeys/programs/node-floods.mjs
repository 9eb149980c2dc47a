// Sends EVENTS errors, each after the answer to the one before, and prints the status of each; 0 when the SDK did not send.
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: process.env.SENTRY_DSN });
const client = Sentry.getClient();

const statuses = [];
client.on('afterSendEvent', (_event, response) => statuses.push(response?.statusCode ?? 0));
for (let count = 0; count < Number(process.env.EVENTS); count++) {
  Sentry.captureException(new Error('Flood'));
  await Sentry.flush(10_000);
}
process.stdout.write(`${JSON.stringify(statuses)}\n`);
