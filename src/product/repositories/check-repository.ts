import { invalid } from '#lib/errors.ts';
import { checkRepositoryName } from '#product/commits/check-commits.ts';
import { checkWebAddress } from '#product/releases/check-release.ts';
import {
  REPOSITORY_PROVIDERS,
  type RepositoryDraft,
  type RepositoryProvider,
} from '#storage/ports/repositories.ts';
import { originOf } from './repository-links.ts';

const TEMPLATE_CHARACTERS_MAX = 1_000;

export type RepositoryInput = {
  name: string;
  provider: RepositoryProvider;
  /** Empty or null for the usual place of the provider. */
  url: string | null;
  /** For `other`: with {commit}, {path} and {line}. */
  linkTemplate: string | null;
};

/** Throws Invalid, naming the field. */
export function checkRepository(input: RepositoryInput): RepositoryDraft {
  const name = checkRepositoryName(input.name.trim());
  const { provider } = input;
  if (!REPOSITORY_PROVIDERS.includes(provider)) {
    throw invalid(
      `No provider is "${provider}": choose among ${REPOSITORY_PROVIDERS.join(', ')}`,
      'provider',
    );
  }
  const url = input.url?.trim() ? checkWebAddress(input.url, 'url').replace(/\/+$/, '') : null;
  if (url !== null && /[?#]/.test(url)) {
    throw invalid('The address of a repository has neither "?" nor "#" in it', 'url');
  }
  if (provider === 'gitea' && url === null) {
    throw invalid('Give the address of the repository: no place is the usual one for Gitea', 'url');
  }
  return { name, provider, url, linkTemplate: checkTemplate(provider, input.linkTemplate?.trim() ?? '') };
}

function checkTemplate(provider: RepositoryProvider, template: string): string | null {
  if (provider !== 'other') return null;
  if (template.length > TEMPLATE_CHARACTERS_MAX || originOf(template) === null) {
    throw invalid(
      `Give a link beginning with https:// of at most ${TEMPLATE_CHARACTERS_MAX} characters, such as https://code.example.com/web/{path}?at={commit}#{line}`,
      'linkTemplate',
    );
  }
  if (!template.includes('{path}')) {
    throw invalid('The link needs {path}, where the path of the file stands', 'linkTemplate');
  }
  return template;
}
