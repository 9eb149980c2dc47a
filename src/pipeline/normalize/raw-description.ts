/** Fields of a context that were told by its `raw_description`; none when it tells nothing. */
export type Described = Readonly<Record<string, string>>;

/**
 * Reads how .NET, Unity and Unreal tell a system in one line: `Microsoft Windows 10.0.18363`, `Darwin 17.4.0 …`,
 * `Android OS 11 / API-30 (…)`. A Windows build becomes the name that it is sold under; what `uname` tells is the
 * kernel's version, not the system's. Source: relay-event-normalization/src/normalize/contexts.rs
 */
export function describeSystem(raw: string): Described {
  const windows =
    /^(?:Microsoft\s+)?Windows\s+(?:NT\s+)?(\d+\.\d+\.(\d+))/.exec(raw) ??
    /^Windows\s+\d+\s+\((\d+\.\d+\.(\d+))/.exec(raw);
  if (windows) {
    const [, full = '', build = ''] = windows;
    return { name: 'Windows', version: windowsName(Number(build)) ?? full, build };
  }
  const mac = /^Mac OS X (\d+\.\d+\.\d+)(?: \(([a-fA-F0-9]+)\))?$/.exec(raw);
  if (mac) return kept({ name: 'macOS', version: mac[1], build: mac[2] });
  const mobile = /^(iOS|iPadOS) (\d+\.\d+(?:\.\d+)?)/.exec(raw);
  if (mobile) return kept({ name: mobile[1], version: mobile[2] });
  const distribution = /^Linux (\d+\.\d+(?:\.\d+(?:\.[1-9]+)?)?) ([a-zA-Z]+) (\d+(?:\.\d+){0,2})/.exec(raw);
  if (distribution) {
    return kept({ name: distribution[2], version: distribution[3], kernel_version: distribution[1] });
  }
  const uname = /^([a-zA-Z]+) (\d+\.\d+(?:\.\d+(?:\.[1-9]+)?)?)/.exec(raw);
  if (uname && uname[1] !== 'Android') return kept({ name: uname[1], kernel_version: uname[2] });
  const android = /^Android (?:OS )?(\d+(?:\.\d+){0,2}) \/ API-\d+/.exec(raw);
  if (android) return kept({ name: 'Android', version: android[1] });
  if (raw === 'Nintendo Switch') return { name: 'Nintendo OS' };
  const plain = /^([a-zA-Z]+) ([\d.-]+)$/.exec(raw);
  return plain ? kept({ name: plain[1], version: plain[2] }) : {};
}

/** Reads `.NET Core 2.0`, `Mono 5.10.1.47 (tarball …)`. */
export function describeRuntime(raw: string): Described {
  const match = /^(.{1,200}) (\d+\.\d+(?:\.\d+){0,2})/.exec(raw);
  return match ? kept({ name: match[1], version: match[2] }) : {};
}

/** The version of the .NET Framework that a release key of the registry means. */
export const frameworkVersion = (releaseKey: string): string | undefined => FRAMEWORKS.get(releaseKey);

const FRAMEWORKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '4.5': ['378389'],
    '4.5.1': ['378675', '378758'],
    '4.5.2': ['379893'],
    '4.6': ['393295', '393297'],
    '4.6.1': ['394254', '394271'],
    '4.6.2': ['394802', '394806'],
    '4.7': ['460798', '460805'],
    '4.7.1': ['461308', '461310'],
    '4.7.2': ['461808', '461814'],
    '4.8': ['528040', '528049', '528209', '528372', '528449'],
  }).flatMap(([version, keys]) => keys.map((key) => [key, version] as const)),
);

function windowsName(build: number): string | undefined {
  if (build >= 2600 && build <= 3790) return 'XP';
  if (build >= 10_240 && build <= 19_044) return '10';
  if (build >= 22_000 && build <= 22_999) return '11';
  return { 6002: 'Vista', 7601: '7', 9200: '8', 9600: '8.1' }[build];
}

const kept = (fields: Readonly<Record<string, string | undefined>>): Described =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
