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
  const texts: [string, string | null][] = [
    ['Request', `${definition.method} ${monitor.url}`],
    ['Interval', `${intervalLabel(monitor.intervalSeconds)}, timeout ${definition.timeoutSeconds} s`],
    ['Expected status', formatStatuses(definition.statuses)],
    ['Assertions', assertions || null],
    ['Headers', definition.headerNames.join(', ') || null],
    ['Incident', incidentRule(definition)],
    ['Maintenance (UTC)', windows || null],
    ['Project', projectName],
    ['Environment', monitor.environment],
    ['Owner', owner?.name ?? null],
  ];
  return (
    <KeyValues
      isNarrow
      rows={[
        ...texts.flatMap(([name, text]) => (text === null ? [] : [{ name, text: visibleText(text) }])),
        ...(monitor.certificateExpiresAt === null
          ? []
          : [{ name: 'Certificate expires', value: <ExactTime at={monitor.certificateExpiresAt} /> }]),
      ]}
    />
  );
}
