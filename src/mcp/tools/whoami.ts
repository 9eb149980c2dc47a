import { z } from 'zod';
import { hasRight } from '#product/permissions.ts';
import { SCOPES } from '#protocol/scopes.ts';
import { fencedFacts, paragraphs } from '../text/answer.ts';
import { defineTool } from '../tool.ts';

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who you are',
  description:
    'The organization that the token belongs to, whose token it is, and what it may do. All other tools work in this organization.',
  right: null,
  input: z.strictObject({}),
  async run({ organization, actor, publicUrl }) {
    const person = actor.kind === 'user' || actor.kind === 'token' ? actor : null;
    return paragraphs(
      `Organization: \`${organization.slug}\`, at ${publicUrl}/${organization.slug}`,
      fencedFacts([
        ['organization', organization.name],
        ['user', person?.name ?? null],
        ['role', person?.role ?? null],
        ['scopes', SCOPES.filter((scope) => hasRight(actor, scope)).join(' ')],
      ]),
    );
  },
});
