import { invalid, isErrataError } from '#lib/errors.ts';
import { checkPlatform, checkProjectName } from '#product/projects/check-project-fields.ts';
import { checkProjectSlug } from '#product/projects/check-project-slug.ts';
import { checkEmail } from './check-email.ts';
import { checkOrganizationSlug } from './check-organization-slug.ts';
import { checkPassword } from './check-password.ts';

/** The project that the app reports its own errors to. */
export const SELF_PROJECT_SLUG = 'errata-self';
const NAME_CHARS_MAX = 100;

/** What people give when an instance is set up. */
export type SetUpFields = {
  name: string;
  email: string;
  password: string;
  organizationName: string;
  organizationSlug: string;
  /** The slug when absent or blank. */
  projectName?: string | undefined;
  projectSlug: string;
  /** null when not chosen. */
  platform: string | null;
};
export type SetUpField = keyof SetUpFields;

/** What is wrong with each field that is, in the order of the form; empty when nothing is. */
export type SetUpProblems = Readonly<Partial<Record<SetUpField, string>>>;

/** All that can be said about the fields without asking a store. Takes the time of estimating a password. */
export async function findSetUpProblems(fields: SetUpFields): Promise<SetUpProblems> {
  const { email, name, organizationName, organizationSlug } = fields;
  const checks: Readonly<Record<SetUpField, () => unknown>> = {
    name: () => checkName(name),
    email: () => checkEmail(email),
    password: () => checkPassword(fields.password, [email, name, organizationName, organizationSlug]),
    organizationName: () => checkName(organizationName),
    organizationSlug: () => checkOrganizationSlug(organizationSlug),
    projectName: () => checkProjectName(fields.projectName),
    projectSlug: () => checkFirstProjectSlug(fields.projectSlug),
    platform: () => checkPlatform(fields.platform),
  };
  const problems: Partial<Record<SetUpField, string>> = {};
  for (const [field, check] of Object.entries(checks)) {
    const problem = await refusalOf(check);
    if (problem !== null) problems[field as SetUpField] = problem;
  }
  return problems;
}

async function refusalOf(check: () => unknown): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (isErrataError(error)) return error.message;
    throw error;
  }
}

function checkName(input: string): void {
  const name = input.trim();
  if (name === '') throw invalid('Write a name');
  if (name.length > NAME_CHARS_MAX) throw invalid(`Use at most ${NAME_CHARS_MAX} characters`);
}

function checkFirstProjectSlug(slug: string): void {
  if (slug === SELF_PROJECT_SLUG) {
    throw invalid(`"${slug}" is the project of Errata's own errors: choose another slug`);
  }
  checkProjectSlug(slug);
}
