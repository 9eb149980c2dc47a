import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Card } from '#ui/card.tsx';
import { Page } from '#ui/page-header.tsx';
import { DesignCharts } from './design-charts.tsx';
import { DesignContent } from './design-content.tsx';
import { DesignControls } from './design-controls.tsx';

export const metadata: Metadata = { title: 'Design', robots: { index: false } };

export default function DesignPage() {
  if (process.env.NODE_ENV === 'production') notFound();
  return (
    <main>
      <Page
        title="Design system"
        description="Everything in src/ui, in each of its states. Look at it in light and dark, at 390 px, and with the keyboard alone."
      >
        <div className="flex flex-col gap-6">
          <DesignTokens />
          <DesignControls />
          <DesignCharts />
          <DesignContent />
        </div>
      </Page>
    </main>
  );
}

const SURFACES = ['surface', 'surface-sunken', 'surface-raised', 'surface-hover', 'surface-pressed'];
const TEXTS = ['text', 'text-muted', 'text-faint', 'accent', 'danger', 'warning', 'success', 'info'];
const SOFT = ['accent', 'danger', 'warning', 'success', 'info'];
const CHARTS = ['chart', 'chart-2', 'chart-3', 'chart-4', 'chart-5', 'chart-6'];
const SIZES = [
  ['2xl', 28],
  ['xl', 20],
  ['lg', 16],
  ['base', 14],
  ['sm', 13],
  ['xs', 12],
] as const;

const colour = (name: string) => `var(--color-${name})`;

/** The scale of type, and every text on every surface that it may stand on. */
function DesignTokens() {
  return (
    <Card title="Tokens">
      <div className="grid gap-6 lg:grid-cols-2">
        <dl className="flex flex-col gap-2">
          {SIZES.map(([name, pixels]) => (
            <div key={name} className="flex items-baseline gap-4">
              <dt className="numbers w-20 text-text-muted text-xs">
                {name}, {pixels} px
              </dt>
              <dd style={{ fontSize: `var(--text-${name})` }}>Cannot read properties of undefined</dd>
            </div>
          ))}
        </dl>
        <div className="flex flex-col gap-2">
          {SURFACES.map((surface) => (
            <div
              key={surface}
              className="flex flex-wrap gap-3 rounded-md border px-3 py-2 text-sm"
              style={{ background: colour(surface) }}
            >
              {TEXTS.map((text) => (
                <span key={text} style={{ color: colour(text) }}>
                  {text}
                </span>
              ))}
            </div>
          ))}
          <div className="flex flex-wrap gap-2">
            {SOFT.map((tone) => (
              <span
                key={tone}
                className="rounded-md px-3 py-2 text-sm"
                style={{ background: colour(`${tone}-soft`), color: colour(tone) }}
              >
                {tone} on its soft
              </span>
            ))}
          </div>
          <div className="flex gap-2" role="img" aria-label="Series colors">
            {CHARTS.map((chart) => (
              <span key={chart} className="h-6 flex-1 rounded-sm" style={{ background: colour(chart) }} />
            ))}
          </div>
        </div>
      </div>
    </Card>
  );
}
