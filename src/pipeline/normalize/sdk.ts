import type { SdkInfo } from '#protocol/event.ts';
import { type FieldReader, isSource, type Source, unlessEmpty } from './field-reader.ts';
import { NAME_CHARS_MAX, PACKAGES_MAX } from './limits.ts';

/** Reads `sdk`: who sent the event. */
export function normalizeSdk(reader: FieldReader, event: Source): SdkInfo | undefined {
  const source = reader.object(event, 'sdk', '');
  if (source === undefined) return undefined;
  return unlessEmpty<SdkInfo>({
    name: reader.text(source, 'name', 'sdk', NAME_CHARS_MAX),
    version: reader.text(source, 'version', 'sdk', NAME_CHARS_MAX),
    integrations: integrationsOf(reader, source),
    packages: packagesOf(reader, source),
  });
}

function integrationsOf(reader: FieldReader, sdk: Source): string[] | undefined {
  const names: string[] = [];
  for (const [index, name] of listOf(reader, sdk, 'integrations').entries()) {
    const text = reader.text({ name }, 'name', `sdk.integrations.${index}`, NAME_CHARS_MAX);
    if (text !== undefined) names.push(text);
  }
  return names.length === 0 ? undefined : names;
}

function packagesOf(reader: FieldReader, sdk: Source): SdkInfo['packages'] {
  const packages: { name?: string; version?: string }[] = [];
  for (const [index, item] of listOf(reader, sdk, 'packages').entries()) {
    const path = `sdk.packages.${index}`;
    if (!isSource(item)) {
      if (item !== null) reader.invalid(path, '', 'an object', item);
      continue;
    }
    const named = unlessEmpty({
      name: reader.text(item, 'name', path, NAME_CHARS_MAX),
      version: reader.text(item, 'version', path, NAME_CHARS_MAX),
    });
    if (named !== undefined) packages.push(named);
  }
  return packages.length === 0 ? undefined : packages;
}

function listOf(reader: FieldReader, sdk: Source, key: string): readonly unknown[] {
  const value = sdk[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, PACKAGES_MAX);
  reader.invalid('sdk', key, 'a list', value);
  return [];
}
