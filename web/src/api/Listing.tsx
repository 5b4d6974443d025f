import { t } from '@lingui/core/macro'
import type { ComponentType } from 'react'
import { Button, type Elements, Text } from '@/ui'
import { type PaginationProps, StepPagination } from '@/ui/lists'
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

/** The pages of a list, of which one is shown. */
interface Pages extends Omit<PaginationProps, 'pages'> {
  Pagination?: ComponentType<PaginationProps>
  /** States that the page is past the end of the list. */
  pastEnd: string
}

type ListingProps<Item> = Shown<Item> & {
  /** Replaces the list where the request failed. */
  failed?: Elements
  /** What the alert says then where the server sent no sentence. */
  messages?: Fallback
  empty: Elements
  /** The pages of a list that knows their number. */
  pages?: Pages | false
  /** The pagination of another list. */
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
    empty,
    pages,
    pagination = pages && <Pagination query={query} {...pages} />,
    children,
  } = props
  const items = 'items' in props ? props.items : props.query.currentData?.data
  if (query.error && !items && !query.isFetching) return failed
  if (items?.length === 0) return pages && totalOf(query) > 0 ? <PastEnd {...pages} /> : empty
  return (
    <>
      {children(items)}
      {pagination}
    </>
  )
}

function Pagination({ query: { data }, Pagination = StepPagination, ...pages }: Pages & { query: ListQuery }) {
  const { total = 0, limit = 1 } = data?.pagination ?? {}
  return <Pagination {...pages} pages={Math.max(1, Math.ceil(total / limit))} />
}

/** Leads from a page past the end of a list to the first. */
export function PastEnd({ pastEnd, onPage }: Pick<Pages, 'pastEnd' | 'onPage'>) {
  return (
    <EmptyMessage title={pastEnd}>
      <Button onClick={() => onPage(1)}>{t`First page`}</Button>
    </EmptyMessage>
  )
}
