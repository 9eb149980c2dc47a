import { type GuardedAnswer, guardedGet } from '#lib/guarded-request/guarded-request.ts';
import { type AllowedHost, isAllowedHost } from '#lib/guarded-request/network.ts';
import { WaitingLine } from '#lib/waiting-line.ts';
import type { AbsentScript, ScriptProblem } from '#pipeline/symbolicate/symbol-sources.ts';
import { readScriptComments } from '#product/artifacts/script-comments.ts';
import type { MapBytes } from './map-parser.ts';
import { splitInlineMap } from './read-map.ts';

export type PublicMap = MapBytes & {
  kind: 'fetched';
  /** Address of the script. */
  file: string;
  /** Where the names in the map are relative to: its address, or the script's when it is within it. */
  baseUrl: string;
};

/** Passes the map to `keep` and returns its result. null when the host is not allowed. Throws only as `keep`. */
export type FetchPublicMap = <Kept>(
  address: string,
  keep: (map: PublicMap) => Promise<Kept>,
) => Promise<Kept | AbsentScript | null>;

const SCRIPT_BYTES_MAX = 16 * 1024 * 1024;
const MAP_BYTES_MAX = 32 * 1024 * 1024;
const FETCH_MS_MAX = 10_000;
const REDIRECTS_MAX = 3;
/** Each may hold a script and a map in memory, until the map is kept. */
const FETCHES_AT_ONCE = 2;
/** Scripts in line behind them: hosts that do not answer hold up none but a few others. */
const FETCHES_WAITING_MAX = 20;
const FETCH_WAIT_MS_MAX = 30_000;

/** Finds a public script's map as browsers do, on allowed public hosts only. null when the list is empty. */
export function openPublicMaps(hosts: readonly AllowedHost[], get = guardedGet): FetchPublicMap | null {
  if (hosts.length === 0) return null;
  const allows = (url: URL) => isAllowedHost(hosts, url);
  const ask = (url: string, bytesMax: number) =>
    get(url, { allows, bytesMax, timeMsMax: FETCH_MS_MAX, redirectsMax: REDIRECTS_MAX });

  const fetchMap = async (script: URL): Promise<PublicMap | AbsentScript> => {
    const answer = await ask(script.href, SCRIPT_BYTES_MAX);
    if (answer.kind === 'refused') return refusal(script.href, answer);
    const file = answer.url.href;
    const { body, headers } = answer;
    const named = headers.sourcemap ?? headers['x-sourcemap'] ?? readScriptComments(body).sourceMap;
    if (named === null) return absent({ reason: 'map_missing', file, mapUrl: null });
    if (named.startsWith('data:')) {
      const inline = splitInlineMap(body);
      return inline
        ? { kind: 'fetched', file, baseUrl: file, ...inline }
        : absent({ reason: 'map_missing', file, mapUrl: 'data:' });
    }
    const mapUrl = URL.parse(named, answer.url);
    if (!mapUrl) return absent({ reason: 'map_missing', file, mapUrl: named.slice(0, 1_000) });
    const found = await ask(mapUrl.href, MAP_BYTES_MAX);
    if (found.kind === 'refused') return refusal(mapUrl.href, found);
    return { kind: 'fetched', file, baseUrl: found.url.href, map: found.body, script: body };
  };

  const line = new WaitingLine({
    atOnce: FETCHES_AT_ONCE,
    waitingMax: FETCHES_WAITING_MAX,
    waitMsMax: FETCH_WAIT_MS_MAX,
  });
  return async (address, keep) => {
    const script = URL.parse(address);
    if (!script || !/^https?:$/.test(script.protocol) || !allows(script)) return null;
    script.hash = '';
    const done = await line.run(async () => {
      const fetched = await fetchMap(script);
      return fetched.kind === 'fetched' ? await keep(fetched) : fetched;
    });
    return done === 'no-turn' ? absent({ reason: 'not_loaded_in_time', url: script.href }) : done;
  };
}

/** The detail goes on a page that members read: what was asked for, and why it was not to be had. */
function refusal(url: string, { detail }: GuardedAnswer & { kind: 'refused' }): AbsentScript {
  return absent({ reason: 'fetch_refused', url, detail: detail.slice(0, 500) });
}

const absent = (problem: ScriptProblem): AbsentScript => ({ kind: 'absent', ...problem });
