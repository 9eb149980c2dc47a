import { notFound } from 'next/navigation';
import { cache } from 'react';
import type { Issue } from '#domain/issues/issue.ts';
import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import {
  findLastOrganization,
  getRequestContext,
  getSession,
  listOwnOrganizations,
} from '../../request-context.ts';

/** A short address names no organization: the last one is looked at first, then the user's others. */
const ORGANIZATIONS_SEARCHED_MAX = 20;

/** The issue that a short address means for the signed-in user; the not-found page when there is none. */
export const getShortAddressIssue = cache(
  async (reference: string): Promise<{ ctx: Context; issue: Issue }> => {
    const session = await getSession();
    const last = await findLastOrganization(session.userId);
    const own = await listOwnOrganizations(session.userId);
    const ordered = last ? [last, ...own.filter((organization) => organization.id !== last.id)] : own;
    for (const organization of ordered.slice(0, ORGANIZATIONS_SEARCHED_MAX)) {
      const ctx = await getRequestContext(organization.slug);
      try {
        return { ctx, issue: await getIssue(ctx, reference) };
      } catch (error) {
        if (!isErrataError(error) || error.code !== 'not_found') throw error;
      }
    }
    notFound();
  },
);
