import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AlertFilter } from '#domain/alerts/alert-rule.ts';
import { FilterControls } from './filter-controls.tsx';
import { draftOfFilter } from './rule-draft.ts';

const shown = (filter: AlertFilter) =>
  renderToStaticMarkup(
    createElement(FilterControls, {
      place: { organizationSlug: 'main', projectSlug: 'web' },
      options: {
        users: [],
        teams: [],
        destinations: [],
        health: { email: { status: 'untested' as const }, destinations: {} },
        now: 0,
        environments: [],
      },
      draft: draftOfFilter(filter, '1'),
      problemId: undefined,
      onChange: () => {},
    }),
  );
