import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { UPLOAD_TOOLS, uploadSteps } from './upload-snippets.ts';

const TARGET = { url: 'https://errata.example', organizationSlug: 'acme', projectSlug: 'shop-web' };

describe.each(UPLOAD_TOOLS)('$label', ({ id }) => {
  const text = uploadSteps(id, TARGET)
    .map((step) => step.text)
    .join('\n');

  it('names this instance, the organization and the project', () => {
    expect(text).toContain(TARGET.url);
    expect(text).toMatch(/org: 'acme'|SENTRY_ORG=acme/);
    expect(text).toMatch(/project: 'shop-web'|SENTRY_PROJECT=shop-web/);
  });

  it('holds no token', () => {
    expect(text).not.toMatch(/sntry[su]_\w/);
  });
});

it('imports from Next.js’ SDK what the installed version exports', () => {
  const text = uploadSteps('nextjs', TARGET).at(0)?.text ?? '';
  const [, name = '', from = ''] = /import \{ (\w+) \} from '(@sentry\/[^']+)'/.exec(text) ?? [];
  expect(createRequire(import.meta.url)(from)).toHaveProperty(name);
});
