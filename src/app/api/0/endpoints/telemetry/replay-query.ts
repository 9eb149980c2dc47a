import { invalid } from '#lib/errors.ts';
import type { ReplayFilter } from '#storage/ports/telemetry.ts';

const COUNTS: Readonly<Record<string, ReplayFilter['having'][number]>> = {
  count_errors: 'errors',
  count_rage_clicks: 'rageClicks',
  count_dead_clicks: 'deadClicks',
};
/** Fields whose value is searched as text. */
const TEXTS: ReadonlySet<string> = new Set([
  'id',
  'url',
  'user',
  'user.id',
  'user.email',
  'user.username',
  'user.ip',
  'browser.name',
]);
const MS_PER_SECOND = 1_000;

/**
 * The part of Sentry's search of replays that is answered: counts above zero, a shortest duration in seconds, and one
 * text of a URL, a user, a browser or an ID. Throws Invalid for everything else.
 * Source: https://docs.sentry.io/concepts/search/searchable-properties/session-replay/
 */
export function parseReplayQuery(query: string): Omit<ReplayFilter, 'environments'> {
  const having: ReplayFilter['having'][number][] = [];
  let durationMsMin = 0;
  let field = '';
  const words: string[] = [];
  for (const term of query.match(/(?:[\w.]+:)?"[^"]*"|\S+/g) ?? []) {
    const [, key = '', sent = ''] = /^([a-z_.]+):(?!\/\/)(.*)$/i.exec(term) ?? ['', '', term];
    const value = sent.replace(/^"(.*)"$/, '$1').replaceAll('*', '');
    if (term.startsWith('!')) throw unknown(term);
    const count = COUNTS[key];
    if (count && /^(?:>0|>=1)$/.test(value)) having.push(count);
    else if (key === 'duration' && /^>=?\d{1,6}$/.test(value)) {
      durationMsMin = Number(value.replace(/^>=?/, '')) * MS_PER_SECOND + (value.startsWith('>=') ? 0 : 1);
    } else if (key === '' || TEXTS.has(key)) {
      if (words.length > 0 && (key !== '' || field !== '')) throw unknown(term);
      field = key;
      words.push(value);
    } else throw unknown(term);
  }
  return { text: words.join(' ').trim(), having, durationMsMin };
}

const unknown = (term: string) =>
  invalid(
    `"${term.slice(0, 80)}" cannot be searched here. Use count_errors:>0, count_rage_clicks:>0, count_dead_clicks:>0, duration:>60, and one text such as user.email:ada`,
    'query',
  );
