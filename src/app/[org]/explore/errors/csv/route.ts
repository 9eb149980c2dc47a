import { csvOf } from '../../rows/rows-csv.ts';

export const GET = csvOf('errors');
