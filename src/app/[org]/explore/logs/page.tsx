import type { Metadata } from 'next';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { RowsPage } from '../rows/rows-page.tsx';
import { lineFields, toLogLine } from './log-line.ts';
import { LogList } from './log-list.tsx';

export const metadata: Metadata = { title: 'Explore logs' };

/** Lines of logs of all projects. */
export default async function ExploreLogsPage(request: PageRequest<'org'>) {
  const around = firstValue(await request.searchParams, 'around');
  return (
    <RowsPage
      page="logs"
      request={request}
      placeholder="Search logs: severity:error order.id:17 text"
      empty="SDKs send logs once they are on: set enableLogs."
      list={{
        fields: lineFields,
        show: (rows, place) => {
          const { filters, query, fields: columns } = place.state;
          const fields = lineFields(columns);
          return (
            <LogList
              key={JSON.stringify([query, filters, columns])}
              place={place}
              lines={rows.map((row) => toLogLine(row, fields))}
              around={around}
            />
          );
        },
      }}
    />
  );
}
