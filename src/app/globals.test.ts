import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Rgb = readonly [number, number, number];
type Theme = 'light' | 'dark';

const CSS = readFileSync(new URL('./globals.css', import.meta.url), 'utf8');
const COLOURS = readColours(CSS);

const SURFACES = ['surface', 'surface-sunken', 'surface-raised', 'surface-hover', 'surface-pressed'] as const;
const TONES = ['danger', 'warning', 'success', 'info'] as const;
const LEVELS = ['fatal', 'error', 'warning', 'info', 'debug'] as const;

/** Text and what it stands on, wherever the app puts the one on the other. */
const TEXT_PAIRS: readonly (readonly [string, string])[] = [
  ...['text', 'text-muted', 'text-faint', 'accent', ...TONES].flatMap((text) =>
    SURFACES.map((surface) => [text, surface] as const),
  ),
  ...['accent', ...TONES].flatMap((tone) => [
    [tone, `${tone}-soft`] as const,
    ['text', `${tone}-soft`] as const,
    ['text-muted', `${tone}-soft`] as const,
  ]),
  ...['accent-solid', 'accent-solid-hover', 'danger-solid', 'danger-solid-hover'].map(
    (solid) => ['on-solid', solid] as const,
  ),
  // A tooltip.
  ['surface', 'text'],
  // Syntax colours stand on code, and on the line of it that was called.
  ...['text-faint', ...[...COLOURS.light.keys()].filter((name) => name.startsWith('syntax-'))].flatMap(
    (name) => [[name, 'surface-sunken'] as const, [name, 'danger-soft'] as const],
  ),
];

/** Shapes that mean something, on what they are drawn on. */
const SHAPE_PAIRS: readonly (readonly [string, string])[] = [
  ...LEVELS.map((level) => [`level-${level}`, 'surface-raised'] as const),
  ...['chart', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6'].map(
    (chart) => [chart, 'surface-raised'] as const,
  ),
  ...['border-control', 'accent-line'].flatMap((line) =>
    ['surface', 'surface-raised'].map((surface) => [line, surface] as const),
  ),
];

describe.each(['light', 'dark'] as const)('colours, %s', (theme) => {
  it.each(TEXT_PAIRS)('%s on %s can be read: 4.5:1', (text, surface) => {
    expect(contrast(theme, text, surface)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(SHAPE_PAIRS)('%s on %s can be seen: 3:1', (shape, surface) => {
    expect(contrast(theme, shape, surface)).toBeGreaterThanOrEqual(3);
  });
});

describe('the measure', () => {
  it('knows black on white and a colour of known luminance', () => {
    expect(ratio([0, 0, 0], [1, 1, 1])).toBeCloseTo(21, 5);
    // #767676 is the lightest grey that may stand on white.
    const grey = 0x76 / 255;
    expect(ratio([grey, grey, grey], [1, 1, 1])).toBeCloseTo(4.54, 2);
  });

  it('turns OKLCH into sRGB', () => {
    const red = toRgb('oklch(0.62796 0.25768 29.234)');
    expect(red.map((channel) => Math.round(channel * 255))).toEqual([255, 0, 0]);
  });
});

it('type has the sizes of the scale and no others', () => {
  const sizes = [...CSS.matchAll(/--text-[a-z0-9]+: ([\d.]+)rem;/g)].map((match) => Number(match[1]) * 16);
  expect(sizes).toEqual([12, 13, 14, 16, 20, 28]);
});

function contrast(theme: Theme, one: string, other: string): number {
  return ratio(colourOf(theme, one), colourOf(theme, other));
}

function colourOf(theme: Theme, name: string): Rgb {
  const written = COLOURS[theme].get(name);
  if (!written) throw new Error(`No colour is called ${name}`);
  return toRgb(written);
}

/** WCAG 2.2, contrast ratio. */
function ratio(one: Rgb, other: Rgb): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** CSS Color 4, OKLCH to sRGB; what sRGB cannot show is cut off. */
function toRgb(written: string): Rgb {
  const match = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(written);
  if (!match) throw new Error(`Not an opaque colour: ${written}`);
  const [lightness, chroma, hue] = match.slice(1).map(Number) as [number, number, number];
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const encoded = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.min(1, Math.max(0, encoded));
  }) as unknown as Rgb;
}

function readColours(css: string): Record<Theme, ReadonlyMap<string, string>> {
  const light = new Map<string, string>();
  const dark = new Map<string, string>();
  for (const [, name = '', value = ''] of css.matchAll(/--color-([a-z0-9-]+): (.+);/g)) {
    const both = /^light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)$/.exec(value);
    if (both) {
      light.set(name, both[1] ?? '');
      dark.set(name, both[2] ?? '');
    } else if (value.startsWith('oklch(')) {
      light.set(name, value);
      dark.set(name, value);
    }
  }
  return { light, dark };
}
