import type { AlertMessage } from '../alert-message.ts';

/**
 * What `make` makes of the message with as many named as `fits` allows: the last issues are left out first, then the last
 * metrics; at least one of either is named.
 */
export function fitNamed<Made>(
  message: AlertMessage,
  make: (fitted: AlertMessage) => Made,
  fits: (made: Made) => boolean,
): Made {
  const { issues, metrics } = message;
  for (let named = issues.length + metrics.length; named > 1; named--) {
    const made = make(naming(message, named));
    if (fits(made)) return made;
  }
  return make(naming(message, 1));
}

function naming(message: AlertMessage, named: number): AlertMessage {
  const metrics = message.metrics.slice(0, named);
  const issues = message.issues.slice(0, named - metrics.length);
  return {
    ...message,
    metrics,
    issues,
    metricsLeft: message.metricsLeft + message.metrics.length - metrics.length,
    issuesLeft: message.issuesLeft + message.issues.length - issues.length,
  };
}
