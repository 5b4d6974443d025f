import { Trans } from '@lingui/react/macro'
import { Button, type Elements, Text } from '@/ui'
import { EmptyMessage } from '@/ui/messages'
import type { Fallback, QueryError } from './error'
import { QueryAlert } from './One'

interface Page<Item> {
  data: Item[]
  /** A list that only knows the next entries has no total. */
  pagination?: { limit?: number; total?: number }
}

/** The part of a query's result that a listing shows. */
interface ListQuery<Item> {
  /** The page that was asked for. */
  currentData?: Page<Item> | undefined
  /** The page that was asked for, or the one before it while it loads. */
  data?: Page<Item> | undefined
  error?: QueryError
  isFetching: boolean
  refetch: () => unknown
}

const isLoading = ({ currentData, isFetching, error }: ListQuery<unknown>) => !currentData && (isFetching || !error)

const totalOf = ({ currentData }: ListQuery<unknown>): number => currentData?.pagination?.total ?? 0

interface StatusProps {
  query: ListQuery<unknown>
  loading: string
  /** Returns how many entries the list has, as a text. */
  total: (count: number) => string
}

/** Announces that a list is loading, or how many entries it has. */
export function ListingStatus({ query, loading, total }: StatusProps) {
  return (
    <Text role="status" textStyle="sm" color="fg.muted" minH="5">
      {isLoading(query) ? loading : query.currentData && total(totalOf(query))}
    </Text>
  )
}

interface ListingProps<Item> {
  query: ListQuery<Item>
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
  const items = query.currentData?.data
  if (query.error && !items && !isLoading(query)) return failed
  if (pastEnd && items?.length === 0 && totalOf(query) > 0) {
    return (
      <EmptyMessage title={pastEnd}>
        {onFirstPage && (
          <Button onClick={onFirstPage}>
            <Trans>First page</Trans>
          </Button>
        )}
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
