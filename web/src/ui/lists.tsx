import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, type Elements, Flex, Text } from './basics'
import { EmptyMessage } from './messages'

interface Page<Item> {
  data: Item[]
  /** A list that only knows the next entries has no total. */
  pagination?: { limit?: number; total?: number }
}

/** The part of a query's result that a listing shows. */
export interface ListQuery<Item> {
  /** The page that was asked for. */
  currentData?: Page<Item> | undefined
  /** The page that was asked for, or the one before it while it loads. */
  data?: Page<Item> | undefined
  error?: unknown
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
  /** Replaces the list where the request failed; an alert has a text and a retry button. */
  failed: Elements
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
  const { query, failed, pastEnd, onFirstPage, empty, pagination, children } = props
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

export interface PaginationProps {
  page: number
  pages: number
  label: string
  onPage: (page: number) => void
}

/** First, Previous, Next and Last, with the number of pages between them. */
export function StepPagination({ page, pages, label, onPage }: PaginationProps) {
  const step = (name: string, to: number, disabled: boolean) => (
    <Button
      variant="outline"
      bg="bg.panel"
      size="sm"
      px={{ base: '2', sm: '3.5' }}
      disabled={disabled}
      onClick={() => onPage(to)}
    >
      {name}
    </Button>
  )
  return (
    <Flex as="nav" aria-label={label} align="center" justify="center" wrap="wrap" gap={{ base: '1', sm: '2' }} mt="3">
      {step(t`First`, 1, page <= 1)}
      {step(t`Previous`, page - 1, page <= 1)}
      <Text aria-live="polite" textStyle="sm" px={{ base: '1', sm: '2' }} fontVariantNumeric="tabular-nums">
        <Trans>
          Page {page} of {pages}
        </Trans>
      </Text>
      {step(t`Next`, page + 1, page >= pages)}
      {step(t`Last`, pages, page >= pages)}
    </Flex>
  )
}

/** Returns the page in a query; anything but a whole number above 1 is the first. */
export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}

/** Returns the numbers from 0 to n - 1. */
export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i)
