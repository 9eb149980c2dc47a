import { formatStatuses } from '#domain/uptime/judge-response.ts';
import type { UptimeMonitor } from '#domain/uptime/monitor.ts';
import { visibleText } from '#lib/visible-text.ts';
import { formatPlural } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { ExactTime } from '#ui/relative-time.tsx';
import { intervalLabel } from '../uptime-fields.ts';
import { writeAssertions, writeWindows } from '../uptime-text.ts';

const incidentRule = ({ failuresMin, recoveriesMin }: UptimeMonitor['definition']): string =>
  `Opens after ${formatPlural(failuresMin, 'failure')} in a row, ends after ${formatPlural(recoveriesMin, 'success', 'successes')}`;

/** What a monitor requests and expects. */
export function MonitorFacts({ monitor, projectName }: { monitor: UptimeMonitor; projectName: string }) {
  const { definition, owner } = monitor;
  const assertions = writeAssertions(definition.assertions);
  const windows = writeWindows(definition.maintenance);
  const timeout = `timeout ${definition.timeoutSeconds} s`;
  // What was written in the form is shown as code, and what we say of it as text.
  const facts: [name: string, fact: string | null, isCode?: true][] = [
    ['Request', `${definition.method} ${monitor.url}`, true],
    ['Interval', `${intervalLabel(monitor.intervalSeconds)}, ${timeout}`],
    ['Expected status', formatStatuses(definition.statuses), true],
    ['Assertions', assertions || null, true],
    ['Headers', definition.headerNames.join(', ') || null, true],
    ['Incident', incidentRule(definition)],
    ['Maintenance (UTC)', windows || null, true],
    ['Project', projectName],
    ['Environment', monitor.environment],
    ['Owner', owner?.name ?? null],
  ];
  return (
    <KeyValues
      isNarrow
      rows={[
        ...facts.flatMap(([name, fact, isCode]) => {
          if (fact === null) return [];
          const text = visibleText(fact);
          return [isCode ? { name, text } : { name, value: <bdi>{text}</bdi> }];
        }),
        ...(monitor.certificateExpiresAt === null
          ? []
          : [{ name: 'Certificate expires', value: <ExactTime at={monitor.certificateExpiresAt} /> }]),
      ]}
    />
  );
}
