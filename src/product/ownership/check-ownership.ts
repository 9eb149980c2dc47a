import { parseCodeowners } from '#pipeline/ownership/parse-codeowners.ts';
import {
  OWNERSHIP_TEXT_CHARACTERS_MAX,
  type OwnershipProblem,
  type ParsedOwnership,
  parseOwnershipRules,
} from '#pipeline/ownership/parse-ownership-rules.ts';
import { describeReference, type OwnerDirectory, resolveOwner } from './resolve-owner.ts';

export type OwnershipCheck = {
  /** Lines that cannot be read or name nobody: with one of them nothing is saved. */
  rules: readonly OwnershipProblem[];
  /** Lines of a CODEOWNERS file that cannot be read. */
  codeowners: readonly OwnershipProblem[];
  /** Lines of a CODEOWNERS file that name somebody who is not here: they are kept, and the owner is passed over. */
  unknownCodeowners: readonly OwnershipProblem[];
};

/** A text that is too long is not read any further. */
export function checkOwnership(
  texts: { rules: string; codeowners: string },
  directory: OwnerDirectory,
): OwnershipCheck {
  const rules = isTooLong(texts.rules) ? TOO_LONG : parseOwnershipRules(texts.rules);
  const codeowners = isTooLong(texts.codeowners) ? TOO_LONG : parseCodeowners(texts.codeowners);
  return {
    rules: [...rules.problems, ...unknownOwners(rules, directory)].sort((a, b) => a.line - b.line),
    codeowners: codeowners.problems,
    unknownCodeowners: unknownOwners(codeowners, directory),
  };
}

const isTooLong = (text: string): boolean => text.length > OWNERSHIP_TEXT_CHARACTERS_MAX;

const TOO_LONG: ParsedOwnership = {
  rules: [],
  problems: [
    { line: 1, column: 1, message: `The text has more than ${OWNERSHIP_TEXT_CHARACTERS_MAX} characters` },
  ],
};

function unknownOwners({ rules }: ParsedOwnership, directory: OwnerDirectory): readonly OwnershipProblem[] {
  return rules.flatMap(({ line, text, owners }) =>
    owners
      .filter((owner) => resolveOwner(directory, owner) === null)
      .map((owner) => ({
        line,
        column: Math.max(0, text.toLowerCase().indexOf(describeReference(owner))) + 1,
        message:
          owner.kind === 'team'
            ? `There is no team ${describeReference(owner)}: check its slug`
            : `No member is ${describeReference(owner)}: give the address of one`,
      })),
  );
}
