import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliScene, openCliScene } from '../../conformance/sentry-cli/cli-scene.ts';
import { runStep } from '../../conformance/sentry-cli/cli-step.ts';
import { interruptUpload } from '../../conformance/sentry-cli/interrupted-upload.ts';
import { CLI_MAJORS, findSentryCli } from '../../conformance/sentry-cli/sentry-cli.ts';
import { stepsOf } from '../../conformance/sentry-cli/steps.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { sharedErrata } from '../../harness/shared-errata.ts';

// The short run has the current one.
const MAJORS = IS_FULL ? CLI_MAJORS : CLI_MAJORS.slice(0, 1);

for (const major of MAJORS) {
  const cli = findSentryCli(major);
  describe.skipIf(cli === null)(`sentry-cli ${cli?.version ?? `${major}.x, which is not here`}`, () => {
    let scene: CliScene;
    beforeAll(async () => {
      scene = await openCliScene(sharedErrata(), major, cli?.program ?? '');
    });
    afterAll(() => rmSync(scene.folder, { recursive: true, force: true }));

    test.each(stepsOf(major).map((step) => [step.command, step] as const))('%s', async (_command, step) => {
      const { code, effect } = await runStep(scene, step);
      expect([code, effect]).toEqual([step.exitCode ?? 0, expect.stringMatching(/\w/)]);
    });

    test('an upload that was killed goes on where it was', async () => {
      const { chunks, first, second } = await interruptUpload(scene);
      expect(chunks).toBeGreaterThan(3);
      // Some of it had arrived, and is not sent again; all of it is there in the end.
      expect(first).toBeGreaterThan(0);
      expect(second).toBeLessThan(chunks);
      expect(second).toBeGreaterThan(0);
    });
  });
}
