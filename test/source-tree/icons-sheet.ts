import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './read-source-tree.ts';

export const ICONS_FILE = path.join(ROOT, 'src/ui/icons/icons.css');

/** A shape of a drawing and its attributes. */
type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

const START =
  "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23000' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E";

/** The style sheet of all icons that pages import. Throws for an icon that Lucide does not have. */
export async function renderIconsSheet(): Promise<string> {
  const modules = readModules();
  const names = new Set(
    importedIcons().map((icon) => {
      const name = modules.get(icon);
      if (name === undefined) throw new Error(`Lucide has no icon ${icon}`);
      return name;
    }),
  );
  const rules = await Promise.all([...names].sort().map(renderRule));
  return ['/* Written by `npm run icons`. */', '@layer base {', ...rules, '}', ''].join('\n');
}

async function renderRule(name: string): Promise<string> {
  const { __iconData: icon } = (await import(`lucide-react/icons/${name}`)) as {
    __iconData: { node: readonly Shape[] };
  };
  const shapes = icon.node.map(([tag, { key: _, ...attributes }]) => {
    const written = Object.entries(attributes).map(([key, value]) => ` ${key}='${value}'`);
    return `%3C${tag}${written.join('')}/%3E`;
  });
  return `  .i-${name} {\n    --icon: url("data:image/svg+xml,${START}${shapes.join('')}%3C/svg%3E");\n  }`;
}

/** What pages import from Lucide, types left out. */
function importedIcons(): string[] {
  const files = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(ROOT, 'src', file), 'utf8'));
  return sources
    .flatMap((source) => [...source.matchAll(/^import \{([^}]*)\} from 'lucide-react';/gm)])
    .flatMap(([, list = '']) => list.split(','))
    .map((entry) => entry.trim().replace(/ as .*/, ''))
    .filter((entry) => entry !== '' && !entry.startsWith('type '));
}

/** The modules of icons by what they are exported as. */
function readModules(): ReadonlyMap<string, string> {
  const index = readFileSync(path.join(ROOT, 'node_modules/lucide-react/dist/esm/lucide-react.mjs'), 'utf8');
  return new Map(
    [...index.matchAll(/^export \{([^}]*)\} from '\.\/icons\/([a-z0-9-]+)\.mjs';/gm)].flatMap(
      ([, list = '', name = '']) =>
        [...list.matchAll(/default as (\w+)/g)].map(([, icon = '']) => [icon, name] as const),
    ),
  );
}
