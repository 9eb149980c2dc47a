import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '#domain/people.ts';
import type { Context } from '#product/context.ts';
import { provideServices } from '#product/services.ts';
import { request } from '../harness/action-request.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { listActions, namesReachedBy } from '../harness/list-actions.ts';
import { servicesOf } from './product-services.ts';
import { ACTION_ROWS } from './roles-matrix/action-rows.ts';
import { CHANGING_VERBS } from './roles-matrix/changing-verbs.ts';
import { BOUND_ROLES, type ClosedScene, openClosedScene } from './roles-matrix/closed-scene.ts';
import { PERSONAL_ACTIONS } from './roles-matrix/personal-actions.ts';
import { READING_VERBS } from './roles-matrix/reading-verbs.ts';
import { REFERENCE_VERBS } from './roles-matrix/reference-verbs.ts';
import { type Joined, MAILER } from './roles-matrix/scene.ts';
import { openTracker } from './roles-matrix/tracker-rows.ts';
import { VERB_SCOPES } from './roles-matrix/verb-scopes.ts';

const VERBS = { ...READING_VERBS, ...CHANGING_VERBS, ...REFERENCE_VERBS };
const SRC = path.resolve(import.meta.dirname, '../../src');
/** What stands in a refusal, and in an answer to who names what is not there. */
const REFUSED = /does not include|[Yy]our role|Only admins|ask its owner/;
const UNKNOWN = /\b(?:no|not|none)\b|is gone|already been deleted/i;

const actions = listActions().filter(({ id }) => id in ACTION_ROWS);

test('every server action has a row, and every row an action', () => {
  const all = listActions().map(({ id }) => id);
  expect(
    all.filter((id) => !(id in ACTION_ROWS) && !(id in PERSONAL_ACTIONS)),
    'Say in test/product/roles-matrix which verb each of these calls: action-rows.ts or personal-actions.ts',
  ).toEqual([]);
  const rows = [...Object.keys(ACTION_ROWS), ...Object.keys(PERSONAL_ACTIONS)];
  expect(rows.filter((id, index) => !all.includes(id) || rows.indexOf(id) !== index)).toEqual([]);
});

test.each(actions)('$id calls the verb that its row names', (action) => {
  const { verb } = ACTION_ROWS[action.id]!;
  expect(Object.keys(VERBS)).toContain(verb);
  expect([...namesReachedBy(action)]).toContain(verb);
});

describe('closed membership × role × action', () => {
  let scene: ClosedScene;
  let cookies: Map<Context, string>;
  beforeAll(async () => {
    scene = await openClosedScene();
    const services = servicesOf(scene.product);
    provideServices({ ...services, openTracker, mailer: MAILER });
    const { authenticator } = services.stores;
    cookies = new Map();
    const { inside, outside, askers, stranger } = scene;
    // Sessions know it from the account.
    await scene.product.pool.query('UPDATE users SET is_instance_owner = true WHERE id = $1', [
      askers.instance_owner.userId,
    ]);
    for (const ctx of [
      ...Object.values(inside),
      ...Object.values(outside),
      ...Object.values(askers),
      stranger,
    ]) {
      const opened = await authenticator.openSession({ userId: ctx.userId, headers: new Headers() });
      cookies.set(ctx, opened.cookies.map((cookie) => cookie.split(';', 1)[0]).join('; '));
    }
  });
  afterAll(async () => {
    await scene?.product.close();
  });

  describe.each(actions)('$id', ({ file, name, id }) => {
    const { verb, args, answers } = ACTION_ROWS[id]!;
    const { needs, kind } = VERBS[verb]!;
    const boundNeeds = BOUND_ROLES.find((role) => role === needs);
    const scope = Object.entries(VERB_SCOPES).find(([, verbs]) =>
      (verbs as readonly string[]).includes(verb),
    )?.[0];
    // Whatever the verb is about: who does not see the issue does not get as far as to it.
    const namesProject =
      scope === 'project' || scope === 'handed' || namesReachedBy({ file, name }).has('getIssue');

    const allowed = () => (boundNeeds ? scene.inside[boundNeeds] : scene.askers[needs]);
    /** Made once: whoever is refused changes nothing, so that it serves until somebody may. */
    let prepared: readonly unknown[] | undefined;
    const ofAllowed = async () => {
      prepared ??= await args(scene, allowed());
      return prepared;
    };

    async function run(asker: Joined | null, given?: readonly unknown[]): Promise<Outcome> {
      const sent = given ?? (await args(scene, asker ?? scene.owner));
      const module = (await import(pathToFileURL(path.join(SRC, file)).href)) as Record<string, Action>;
      request.headers = new Headers(asker ? { cookie: cookies.get(asker)! } : {});
      return outcomeOf(() => module[name]!(...sent), kind === 'reads');
    }

    const lower = needs === 'instance_owner' ? 'owner' : ROLES[ROLES.indexOf(needs as Role) - 1];
    // That an action calls its verb is shown above, and whom the verb refuses is tried with the verbs.
    if (lower && IS_FULL)
      test(`a ${lower}, who may not`, async () => {
        const bound = BOUND_ROLES.find((role) => role === lower);
        const { outcome, text } = await run(bound ? scene.inside[bound] : scene.askers[lower!]);
        expect([outcome, text]).toEqual(['refused', expect.stringMatching(REFUSED)]);
      });

    if (boundNeeds && IS_FULL)
      test(`a ${needs} of another team`, async () => {
        const { outcome, text } = await run(scene.outside[boundNeeds!]);
        if (namesProject) expect([outcome, text]).toEqual(['refused', expect.stringMatching(UNKNOWN)]);
        else expect([outcome, scene.findHidden(text)]).toEqual(['done', null]);
      });

    test('somebody of another organization', async () => {
      expect(await run(scene.stranger, await ofAllowed())).toMatchObject({ outcome: 'no such page' });
    });

    test('nobody', async () => {
      expect(await run(null, await ofAllowed())).toMatchObject({ outcome: 'asked to sign in' });
    });

    test(`a ${needs} who may`, async () => {
      const { outcome, text } = await run(allowed(), await ofAllowed());
      expect([outcome, text]).toEqual(
        answers ? ['refused', expect.stringMatching(answers)] : ['done', expect.any(String)],
      );
    });
  });
});

type Action = (...args: readonly unknown[]) => Promise<unknown>;
type Outcome = { outcome: 'done' | 'refused' | 'no such page' | 'asked to sign in'; text: string };

/** Actions answer refusals in words of their own forms. `isRead`: a text that it answers is no refusal. */
async function outcomeOf(act: () => Promise<unknown>, isRead: boolean): Promise<Outcome> {
  try {
    const answer = await act();
    const refusal = isRead && typeof answer !== 'object' ? null : refusalIn(answer);
    return { outcome: refusal === null ? 'done' : 'refused', text: refusal ?? JSON.stringify(answer) ?? '' };
  } catch (error) {
    const { digest = '', message, code } = error as { digest?: string; message: string; code?: string };
    if (digest.startsWith('NEXT_REDIRECT') && /;\/login/.test(digest))
      return { outcome: 'asked to sign in', text: '' };
    if (digest.startsWith('NEXT_REDIRECT')) return { outcome: 'done', text: '' };
    if (digest.startsWith('NEXT_HTTP_ERROR_FALLBACK;404')) return { outcome: 'no such page', text: '' };
    if (code === 'not_found' || code === 'forbidden') return { outcome: 'refused', text: message };
    throw error;
  }
}

function refusalIn(answer: unknown): string | null {
  if (typeof answer === 'string') return answer;
  if (typeof answer !== 'object' || answer === null) return null;
  const { ok, message, error, reason, problem, kind, problems, errors } = answer as Record<string, unknown>;
  const said = [
    error,
    problem,
    (ok === false || kind === 'failed') && (message ?? reason),
    ...Object.values(errors ?? {}),
    ...(ok !== true ? Object.values(problems ?? {}) : []),
    ok === false && 'refused without a word',
  ].find((each) => each);
  if (!said) return null;
  return typeof said === 'string' ? said : JSON.stringify(said);
}
