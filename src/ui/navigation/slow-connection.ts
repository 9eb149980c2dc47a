type NetworkInformation = { saveData?: boolean; effectiveType?: string };

/** Whether the reader saves data or is on a slow network: then nothing is loaded before it is asked for. */
export function isSlowConnection(
  connection = (navigator as Navigator & { connection?: NetworkInformation }).connection,
): boolean {
  return connection?.saveData === true || /2g$/.test(connection?.effectiveType ?? '');
}
