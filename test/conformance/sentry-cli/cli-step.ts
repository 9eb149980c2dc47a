import type { CliRunOptions, CliScene } from './cli-scene.ts';
import { expectExit } from './expect-exit.ts';
import type { CliMajor, CliResult } from './sentry-cli.ts';

/** One command, and what is seen of it over the API afterwards. */
export type CliStep = {
  /** As it is typed, values in angle brackets. */
  command: string;
  /** The majors that have the command. */
  of: readonly CliMajor[];
  args(scene: CliScene): readonly string[];
  options?: (scene: CliScene) => CliRunOptions;
  /** 0 unless the command is meant to fail. */
  exitCode?: number;
  /** In words. Throws when the effect is not there. */
  effect(scene: CliScene, result: CliResult): Promise<string>;
};

export const BOTH: readonly CliMajor[] = [3, 2];

/** Runs the command and looks. Throws with all of the command's output when either is not as it must be. */
export async function runStep(
  scene: CliScene,
  step: CliStep,
): Promise<{ code: number | null; effect: string }> {
  const result = await scene.run(step.args(scene), step.options?.(scene));
  expectExit(result, step.exitCode ?? 0, step.command);
  try {
    return { code: result.code, effect: await step.effect(scene, result) };
  } catch (error) {
    throw new Error(`${step.command}: the effect is not there\n${result.stdout}${result.stderr}`, {
      cause: error,
    });
  }
}
