/** As servers name their clusters: it becomes part of statements. */
const NAME = /^[A-Za-z0-9_.-]{1,100}$/;
const PARAMETER = 'cluster';

/** Throws when it is no name of a cluster. */
export function parseClusterName(text: string): string {
  if (!NAME.test(text)) throw new Error(`"${text}" is not the name of a cluster`);
  return text;
}

/** The address of a server that is a part of a cluster. */
export function withCluster(url: string, cluster: string): string {
  const address = new URL(url);
  address.searchParams.set(PARAMETER, cluster);
  return address.href;
}

/** The name of the cluster that an address is of; null for a single server. */
export function clusterOf(address: URL): string | null {
  const name = address.searchParams.get(PARAMETER);
  return name === null ? null : parseClusterName(name);
}
