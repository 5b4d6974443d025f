import { t } from '@lingui/core/macro'
import { Button, type Elements, Text } from '@/ui'
import { EmptyMessage } from '@/ui/messages'
import type { Fallback } from './error'
import { QueryAlert, type QueryState } from './Loaded'

/** A query for a page of a list. A list that only knows the next entries has no total. */
type ListQuery<Data = unknown> = QueryState<{ data: Data; pagination?: { limit?: number; total?: number } }>

const totalOf = ({ currentData }: ListQuery): number => currentData?.pagination?.total ?? 0

interface StatusProps {
  query: ListQuery
  loading: string
  /** Returns how many entries the list has, as a text. */
  total: (count: number) => string
}

/** Announces that a list is loading, or how many entries it has. */
export function ListingStatus({ query, loading, total }: StatusProps) {
  return (
    <Text role="status" textStyle="sm" color="fg.muted" minH="5">
      {query.currentData ? total(totalOf(query)) : (query.isFetching || !query.error) && loading}
    </Text>
  )
}

// The items are those of the page that was asked for, or those that are given, such as what stays while another is loaded.
type Shown<Item> = { query: ListQuery<Item[]>; items?: never } | { query: ListQuery; items: Item[] | undefined }

type ListingProps<Item> = Shown<Item> & {
  /** Replaces the list where the request failed. */
  failed?: Elements
  /** What the alert says then where the server sent no sentence. */
  messages?: Fallback
  /** States that the page is past the end of the list, for a list with pages. */
  pastEnd?: string
  /** Leads from a page past the end to the first. */
  onFirstPage?: () => void
  empty: Elements
  pagination?: Elements
  /** Renders the rows, or their skeletons for undefined. */
  children: (items: Item[] | undefined) => Elements
}

/** A list in all its states: loading, failed, past the last page, empty, and with rows and pages. */
export function Listing<Item>(props: ListingProps<Item>) {
  const {
    query,
    messages,
    failed = <QueryAlert query={query} messages={messages} />,
    pastEnd,
    onFirstPage,
    empty,
    pagination,
    children,
  } = props
  const items = 'items' in props ? props.items : props.query.currentData?.data
  if (query.error && !items && !query.isFetching) return failed
  if (pastEnd && items?.length === 0 && totalOf(query) > 0) {
    return (
      <EmptyMessage title={pastEnd}>
        {onFirstPage && <Button onClick={onFirstPage}>{t`First page`}</Button>}
      </EmptyMessage>
    )
  }
  if (items?.length === 0) return empty
  return (
    <>
      {children(items)}
      {pagination}
    </>
  )
}
