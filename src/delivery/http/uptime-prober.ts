import { connect } from 'node:net';
import { guardedProbe } from '#lib/guarded-request/guarded-probe.ts';
import type { Network } from '#lib/guarded-request/network.ts';
import { resolvePinned } from '#lib/guarded-request/pinned-request.ts';
import type { UptimeProber } from '../ports/uptime-prober.ts';

/** Hosts that are remembered to ask whether the network works; those that were reached last stay. */
const HOSTS_MAX = 50;
/** Hosts that are connected to at once, to find out; fewer than two say nothing. */
const WITNESSES_MAX = 3;
const WITNESSES_MIN = 2;
const WITNESS_MS_MAX = 4_000;
/** How long an answer counts: when everything fails at once, few connections are made. */
const ANSWER_AGE_MS_MAX = 5_000;

/** Probes over HTTP, to no address of a private network that `network` does not allow. */
export function createUptimeProber(
  network: Network,
  nowMs: () => number = () => performance.now(),
): UptimeProber {
  /** By host, the one that was reached longest ago first. */
  const reached = new Map<string, URL>();
  const neverReached = new Map<string, URL>();
  const asked = new Map<string, { at: number; answer: Promise<boolean> }>();

  return {
    async probe(address, probe) {
      const answer = await guardedProbe(address, probe, network);
      remember(address, answer.timings.connectMs !== null);
      return answer;
    },

    async isOffline(address) {
      const own = URL.parse(address)?.host ?? '';
      const witnesses = [...neverReached, ...reached].filter(([host]) => host !== own).slice(-WITNESSES_MAX);
      if (witnesses.length < WITNESSES_MIN) return false;
      const key = witnesses
        .map(([host]) => host)
        .toSorted()
        .join(' ');
      const recent = asked.get(key);
      if (recent && nowMs() - recent.at < ANSWER_AGE_MS_MAX) return await recent.answer;
      const answer = reachesNone(witnesses.map(([, url]) => url));
      asked.delete(key);
      asked.set(key, { at: nowMs(), answer });
      if (asked.size > HOSTS_MAX) asked.delete(asked.keys().next().value!);
      return await answer;
    },
  };

  function remember(address: string, isReached: boolean): void {
    const url = URL.parse(address);
    if (!url || (!isReached && reached.has(url.host))) return;
    neverReached.delete(url.host);
    reached.delete(url.host);
    const hosts = isReached ? reached : neverReached;
    hosts.set(url.host, url);
    if (hosts.size > HOSTS_MAX) hosts.delete(hosts.keys().next().value!);
  }

  async function reachesNone(urls: readonly URL[]): Promise<boolean> {
    const connected = await Promise.all(urls.map((url) => canConnect(url, network)));
    return !connected.includes(true);
  }
}

/** Only connects: nothing is requested, so that nothing happens at the other end. */
async function canConnect(url: URL, network: Network): Promise<boolean> {
  const deadline = AbortSignal.timeout(WITNESS_MS_MAX);
  try {
    const [address] = await resolvePinned(url, network, deadline);
    if (address === undefined) return false;
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    return await new Promise<boolean>((resolve) => {
      const socket = connect({ host: address, port });
      const end = (isConnected: boolean) => {
        socket.destroy();
        resolve(isConnected);
      };
      socket.once('connect', () => end(true)).once('error', () => end(false));
      deadline.addEventListener('abort', () => end(false), { once: true });
    });
  } catch {
    return false;
  }
}
