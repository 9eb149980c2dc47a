import { VitalValue } from '#app/[org]/traces/vital-value.tsx';
import { scoreVital, WEB_VITALS, type WebVital } from '#domain/traces/web-vitals.ts';
import { VITAL_SPANS, type VitalsSummary, vitalFunction } from '#product/performance/get-web-vitals.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { spansOfNumber } from '../number-links.ts';
import { type PerformancePlace, spansHref } from '../performance-state.ts';
import { VitalScore } from './vital-score.tsx';

/** The score over all pages, and each vital with its own. */
export function VitalCards({ place, summary }: { place: PerformancePlace; summary: VitalsSummary }) {
  const { organizationSlug, state } = place;
  return (
    <dl className="mb-3 grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <div className={CARD}>
        <dt className="text-sm">Performance score</dt>
        <dd>
          <VitalScore score={summary.score} className="font-semibold text-2xl" />
          <Link
            href={spansHref(organizationSlug, state, { within: `(${VITAL_SPANS})` })}
            className="block text-text-muted text-xs no-underline hover:underline"
          >
            of {formatExact(summary.count)} {summary.count === 1 ? 'measurement' : 'measurements'}
          </Link>
        </dd>
      </div>
      {WEB_VITALS.map((vital) => {
        const value = summary.p75[vital.id];
        const { search, entries } = spansOfNumber(vitalFunction(vital.id));
        return (
          <div key={vital.id} className={CARD}>
            <dt
              className="text-sm"
              title={`Good up to ${limit(vital, vital.good)}, poor above ${limit(vital, vital.poor)}`}
            >
              {vital.name}
            </dt>
            <dd>
              {value === undefined ? (
                <span className="font-semibold text-2xl text-text-muted">–</span>
              ) : (
                <Link
                  href={spansHref(organizationSlug, state, { within: search, entries })}
                  className="numbers font-semibold text-2xl no-underline hover:underline"
                >
                  <VitalValue vital={vital} value={value} />
                </Link>
              )}
              <span className="block text-text-muted text-xs">
                {vital.label} p75
                {value === undefined ? null : <> · score {Math.round(scoreVital(vital, value))}</>}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** As a card; a list of terms has no sections. */
const CARD = 'min-w-0 rounded-lg border bg-surface-raised p-4';

const limit = ({ unit }: WebVital, value: number): string =>
  unit === 'ms' ? formatElapsed(value * US_PER_MS) : String(value);

const US_PER_MS = 1_000;
