import { formatBytes } from '#ui/format-number.ts';

export type Facts = Readonly<Record<string, unknown>>;

/** How contexts of a kind are written for people. */
export type ContextKind = {
  title: string;
  headline?: (facts: Facts) => string;
  /** In the order in which they are read: the label, and how the value is written. */
  fields: Readonly<Record<string, readonly [label: string, write?: (value: unknown) => string | null]>>;
};

const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const join = (...parts: string[]): string => parts.filter(Boolean).join(' ');
const aside = (value: unknown): string => (text(value) ? `(${text(value)})` : '');

const bytes = (value: unknown) => (typeof value === 'number' && value >= 0 ? formatBytes(value) : null);
const unit = (suffix: string) => (value: unknown) => (typeof value === 'number' ? `${value}${suffix}` : null);
const percent = unit('%');
const celsius = unit(' °C');
const megahertz = unit(' MHz');
const milliseconds = unit(' ms');
const yesNo = (value: unknown) => (value === true ? 'yes' : value === false ? 'no' : null);

const nameAndVersion = (facts: Facts): string => join(text(facts.name), text(facts.version));

/** Source of names and units: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/contexts/ */
export const KINDS: ReadonlyMap<string, ContextKind> = new Map(
  Object.entries<ContextKind>({
    device: {
      title: 'Device',
      headline: (facts) =>
        join(text(facts.name) || text(facts.model) || text(facts.family), aside(facts.model_id)),
      fields: {
        name: ['Name'],
        model: ['Model'],
        model_id: ['Model ID'],
        family: ['Family'],
        brand: ['Brand'],
        manufacturer: ['Manufacturer'],
        arch: ['Architecture'],
        simulator: ['Simulator', yesNo],
        battery_level: ['Battery', percent],
        battery_status: ['Battery status'],
        charging: ['Charging', yesNo],
        online: ['Online', yesNo],
        connection_type: ['Connection'],
        orientation: ['Orientation'],
        memory_size: ['Memory', bytes],
        free_memory: ['Free memory', bytes],
        usable_memory: ['Usable memory', bytes],
        low_memory: ['Low memory', yesNo],
        storage_size: ['Storage', bytes],
        free_storage: ['Free storage', bytes],
        external_storage_size: ['External storage', bytes],
        external_free_storage: ['Free external storage', bytes],
        processor_count: ['Processor count'],
        processor_frequency: ['Processor frequency', megahertz],
        cpu_description: ['Processor'],
        device_temperature: ['Temperature', celsius],
        boot_time: ['Started'],
        screen_resolution: ['Screen'],
        screen_density: ['Screen density'],
        screen_dpi: ['Screen dpi'],
      },
    },
    os: {
      title: 'Operating system',
      headline: (facts) => join(nameAndVersion(facts), aside(facts.build)),
      fields: {
        name: ['Name'],
        version: ['Version'],
        build: ['Build'],
        kernel_version: ['Kernel'],
        rooted: ['Rooted', yesNo],
        theme: ['Theme'],
        raw_description: ['Raw value'],
      },
    },
    browser: { title: 'Browser', headline: nameAndVersion, fields: { name: ['Name'], version: ['Version'] } },
    runtime: {
      title: 'Runtime',
      headline: nameAndVersion,
      fields: { name: ['Name'], version: ['Version'], build: ['Build'], raw_description: ['Raw value'] },
    },
    app: {
      title: 'App',
      headline: (facts) => join(text(facts.app_name), text(facts.app_version), aside(facts.app_build)),
      fields: {
        app_name: ['Name'],
        app_version: ['Version'],
        app_build: ['Build'],
        app_identifier: ['Identifier'],
        build_type: ['Build type'],
        app_start_time: ['Started'],
        in_foreground: ['In foreground', yesNo],
        is_active: ['Active', yesNo],
        app_memory: ['Memory', bytes],
        free_memory: ['Free memory', bytes],
        view_names: ['Views'],
        device_app_hash: ['Device hash'],
        start_type: ['Start type'],
      },
    },
    gpu: {
      title: 'GPU',
      headline: (facts) => join(text(facts.vendor_name), text(facts.name)),
      fields: {
        name: ['Name'],
        vendor_name: ['Vendor'],
        version: ['Version'],
        memory_size: ['Memory', (value) => (typeof value === 'number' ? formatBytes(value * MIB) : null)],
        api_type: ['API type'],
        multi_threaded_rendering: ['Multi-threaded rendering', yesNo],
        npot_support: ['NPOT support'],
      },
    },
    trace: {
      title: 'Trace',
      headline: (facts) => text(facts.op),
      fields: {
        trace_id: ['Trace ID'],
        span_id: ['Span ID'],
        parent_span_id: ['Parent span ID'],
        op: ['Operation'],
        status: ['Status'],
        sampled: ['Sampled', yesNo],
        exclusive_time: ['Exclusive time', milliseconds],
        origin: ['Origin'],
      },
    },
    culture: {
      title: 'Culture',
      headline: (facts) => join(text(facts.display_name) || text(facts.locale), aside(facts.timezone)),
      fields: {
        locale: ['Locale'],
        display_name: ['Name'],
        timezone: ['Time zone'],
        calendar: ['Calendar'],
        is_24_hour_format: ['24-hour clock', yesNo],
      },
    },
    response: {
      title: 'Response',
      headline: (facts) => text(facts.status_code),
      fields: {
        status_code: ['Status'],
        body_size: ['Size', bytes],
        headers: ['Headers'],
        cookies: ['Cookies'],
        data: ['Body'],
      },
    },
    cloud_resource: {
      title: 'Cloud',
      headline: (facts) => join(text(facts['cloud.provider']), text(facts['cloud.region'])),
      fields: {
        'cloud.provider': ['Provider'],
        'cloud.platform': ['Platform'],
        'cloud.region': ['Region'],
        'cloud.availability_zone': ['Zone'],
        'cloud.account.id': ['Account'],
      },
    },
    state: { title: 'App state', fields: {} },
    replay: { title: 'Replay', fields: { replay_id: ['Replay ID'] } },
    profile: { title: 'Profile', fields: { profile_id: ['Profile ID'], profiler_id: ['Profiler ID'] } },
    feedback: { title: 'Feedback', fields: { message: ['Message'], contact_email: ['Email'] } },
    otel: { title: 'OpenTelemetry', fields: { attributes: ['Attributes'], resource: ['Resource'] } },
    flags: {
      title: 'Feature flags',
      headline: (facts) => (Array.isArray(facts.values) ? `${facts.values.length}` : ''),
      fields: { values: ['Flags', flags] },
    },
  }),
);

const MIB = 1024 * 1024;

/** `checkout-v2: true` per line. */
function flags(value: unknown): string | null {
  if (!Array.isArray(value)) return null;
  const lines = value.map((entry: unknown) => {
    const { flag, result } = (typeof entry === 'object' && entry !== null ? entry : {}) as Facts;
    return typeof flag === 'string' ? `${flag}: ${String(result)}` : null;
  });
  return lines.every((line) => line !== null) ? lines.join('\n') : null;
}
