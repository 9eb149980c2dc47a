import type { User } from '#domain/people.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { conflict, forbidden, invalid, isErrataError } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import type { Context } from '#product/context.ts';
import { checkOrganizationSlug } from '#product/organizations/organizations.ts';
import { checkPlatform, checkProjectName, checkProjectSlug } from '#product/projects/change-projects.ts';
import { createProject } from '#product/projects/create-project.ts';
import type { Services } from '#product/services.ts';
import type { WebServices } from '#product/stores.ts';
import { formatDsn } from '#protocol/dsn.ts';
import { checkEmail } from './check-email.ts';
import { checkPassword } from './check-password.ts';

export type SetUpInput = SetUpFields & {
  /** From the one-time address; null when the caller is trusted (the operator's environment). */
  token: string | null;
};

export type SetUpResult = { user: User; organization: Organization; project: Project; dsn: string };

/** Creates owner, organization and projects; repeatable until it has an owner. Throws Forbidden, Conflict, Invalid. */
export async function setUpInstance(
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  input: SetUpInput,
): Promise<SetUpResult> {
  // First of all, so that nobody without it makes the server estimate passwords.
  if (input.token !== null) await checkToken(services, input.token);
  const [problem] = Object.entries(await findSetUpProblems(input));
  if (problem) throw invalid(problem[1], problem[0]);
  const email = checkEmail(input.email);
  const name = input.name.trim();
  const organizationName = input.organizationName.trim();

  const { accounts } = services.stores;
  return accounts.withSetupLock(async () => {
    const owner = await accounts.findInstanceOwner();
    if (owner && (input.token !== null || owner.email !== email)) throw isSetUpAlready();
    if (input.token !== null) await checkToken(services, input.token);

    const organization = await findOrCreateOrganization(services, input.organizationSlug, organizationName);
    const context = systemContext(services, organization);
    const { project, dsn } = await findOrCreateProject(context, input);
    await ensureSelfProject(context);
    const user = owner ?? (await findOrCreateUser(services, { email, name, password: input.password }));
    if (!owner) {
      await accounts.addMembership({ organizationId: organization.id, userId: user.id, role: 'owner' });
      await accounts.setInstanceOwner(user.id);
      if (input.token !== null) {
        await accounts.takeOneTimeSecret('setup', hashSecret(input.token), services.now());
      }
    }
    return { user: { ...user, isInstanceOwner: true }, organization, project, dsn };
  });
}

async function checkToken(services: Pick<Services, 'stores' | 'now'>, token: string): Promise<void> {
  const state = await checkSetupToken(services.stores, token, services.now());
  if (state === 'set_up') throw isSetUpAlready();
  if (state === 'wrong_token')
    throw forbidden('This setup link is not valid: use the one that the server printed when it last started');
}

const isSetUpAlready = () => conflict('This instance is already set up: sign in instead');

async function findOrCreateOrganization(
  services: Pick<Services, 'stores'>,
  slug: string,
  name: string,
): Promise<Organization> {
  const { projects } = services.stores;
  return (await projects.findOrganization(slug)) ?? projects.createOrganization({ slug, name });
}

const systemContext = (
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  organization: Organization,
): Context => ({
  stores: services.stores,
  organization,
  actor: { kind: 'system' },
  now: services.now,
  publicUrl: services.publicUrl,
});

async function findOrCreateProject(
  context: Context,
  { projectSlug: slug, projectName: name, platform }: SetUpFields,
): Promise<{ project: Project; dsn: string }> {
  const project = await context.stores.projects.findProject(context.organization.id, slug);
  if (!project) return createProject(context, { slug, name, platform });
  const keys = await context.stores.projects.listKeys(context.organization.id, project.id);
  const key =
    keys.find((candidate) => candidate.isActive) ??
    (await context.stores.projects.createKey(context.organization.id, project.id, 'Default'));
  return { project, dsn: formatDsn(context.publicUrl, key.publicKey, project.id) };
}

async function ensureSelfProject({ stores, organization }: Context): Promise<void> {
  if (await stores.projects.findProject(organization.id, SELF_PROJECT_SLUG)) return;
  await stores.projects.createProject({
    organizationId: organization.id,
    slug: SELF_PROJECT_SLUG,
    name: 'Errata itself',
    platform: 'javascript-nextjs',
    isInternal: true,
  });
}

/** Without an owner, a user with this address is left from a set-up that was cut off: it gets the new password. */
async function findOrCreateUser(
  { stores }: Pick<Services, 'stores'>,
  input: { email: string; name: string; password: string },
): Promise<User> {
  const existing = await stores.accounts.findUserByEmail(input.email);
  if (!existing) return stores.authenticator.createUser(input);
  await stores.authenticator.setPassword(existing.id, input.password);
  return existing;
}

/** Whether nobody owns this instance yet. */
export async function needsSetup(stores: Pick<WebServices, 'accounts'>): Promise<boolean> {
  return (await stores.accounts.findInstanceOwner()) === null;
}

/** Whether an address of the set-up opens, and if not, why. */
export async function checkSetupToken(
  stores: Pick<WebServices, 'accounts'>,
  token: string | null,
  nowMs: number,
): Promise<'open' | 'wrong_token' | 'set_up'> {
  if (!(await needsSetup(stores))) return 'set_up';
  if (token === null) return 'wrong_token';
  const opens = await stores.accounts.checkOneTimeSecret('setup', hashSecret(token), nowMs);
  return opens ? 'open' : 'wrong_token';
}

/** It opens only while nobody owns the instance, and each start makes a new one; the expiry is a last resort. */
const SETUP_TOKEN_MS = 365 * 24 * 3600 * 1000;

/** A token for `/setup?token=…`, in place of any earlier one; null when the instance has an owner. */
export async function issueSetupToken(
  stores: Pick<WebServices, 'accounts'>,
  nowMs: number,
): Promise<string | null> {
  if (!(await needsSetup(stores))) return null;
  const token = createOneTimeSecret();
  await stores.accounts.putOneTimeSecret({
    purpose: 'setup',
    userId: null,
    secretHash: hashSecret(token),
    expiresAt: nowMs + SETUP_TOKEN_MS,
  });
  return token;
}

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
  if (name === '') throw invalid('Enter a name');
  if (name.length > NAME_CHARS_MAX) throw invalid(`Use at most ${NAME_CHARS_MAX} characters`);
}

function checkFirstProjectSlug(slug: string): void {
  if (slug === SELF_PROJECT_SLUG) {
    throw invalid(`"${slug}" is reserved for Errata's own errors: choose another slug`);
  }
  checkProjectSlug(slug);
}
