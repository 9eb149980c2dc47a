import { sql } from 'kysely';
import { FEEDBACK_TYPE } from '#protocol/event.ts';

/** Issues that the issue list has: feedback has a page of its own, and counts of issues leave it out as well. */
export const IS_LISTED = sql`issues.type != ${sql.lit(FEEDBACK_TYPE)}`;
