import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Where an answer is other than the reference says, each once: `[].avatar.avatarUrl: missing`. */
export function compareShapes(reference: z.ZodType, answer: unknown): readonly string[] {
  const parsed = reference.safeParse(answer);
  if (parsed.success) return [];
  return [...new Set(parsed.error.issues.flatMap((issue) => describe(issue, [])))].sort();
}

function describe(issue: Issue, above: readonly PropertyKey[]): readonly string[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    // The branch that fits best tells most.
    const [best] = [...issue.errors].sort((a, b) => a.length - b.length);
    return best ? best.flatMap((each) => describe(each, path)) : [];
  }
  const place = path.map((part) => (typeof part === 'number' ? '[]' : `.${String(part)}`)).join('');
  return [`${place.replace(/^\./, '')}: ${problemOf(issue)}`];
}

function problemOf(issue: Issue): string {
  const isMissing = issue.message === 'missing' || /received undefined$/.test(issue.message);
  if (isMissing) return 'missing';
  const [, received = 'another type'] = /received (\w+)$/.exec(issue.message) ?? [];
  return issue.code === 'invalid_type' ? `${received} instead of ${issue.expected}` : issue.message;
}
