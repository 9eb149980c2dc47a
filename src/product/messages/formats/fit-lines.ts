import type { AlertMessage } from '../alert-message.ts';

/** As many rows as fit before the end, in their order; `fits` looks at the text as a whole. */
export function fitLines(
  rows: readonly string[],
  end: string | null,
  fits: (text: string) => boolean,
  separator = '\n',
): string {
  for (let kept = rows.length; kept > 0; kept--) {
    const text = [...rows.slice(0, kept), ...(end === null ? [] : [end])].join(separator);
    if (fits(text)) return text;
  }
  return end ?? '';
}

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
