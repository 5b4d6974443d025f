import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button, Flex, IconButton, Text } from '../basics'
import { ArrowLeftIcon, ArrowRightIcon } from '../icons'
import { type PaginationProps, range } from '../lists'

// Nine items have room on 320 pixels.
const width = 'min(10.5vw, 2.5rem)'

/** Numbered pages with one sibling on each side of the current one. It is absent where everything fits on one page. */
export function NumberedPagination({ page, pages, label, onPage }: PaginationProps) {
  if (pages <= 1) return null
  const step = (name: string, to: number, icon: ReactNode) => (
    <IconButton
      variant="ghost"
      minW={width}
      aria-label={name}
      disabled={to < 1 || to > pages}
      onClick={() => onPage(to)}
    >
      {icon}
    </IconButton>
  )
  return (
    <Flex as="nav" aria-label={label} justify="center" align="center" wrap="wrap" gap={{ base: '0', sm: '1' }} mt="4">
      {step(t`Previous page`, page - 1, <ArrowLeftIcon />)}
      {itemsOf(page, pages).map((item) =>
        typeof item === 'string' ? (
          <Text key={item} aria-hidden="true">
            …
          </Text>
        ) : (
          <Button
            key={item}
            variant={item === page ? 'solid' : 'ghost'}
            minW={width}
            px={{ base: '1', sm: '2' }}
            aria-label={t`Page ${item}`}
            aria-current={item === page ? 'page' : undefined}
            onClick={() => onPage(item)}
          >
            {item}
          </Button>
        ),
      )}
      {step(t`Next page`, page + 1, <ArrowRightIcon />)}
    </Flex>
  )
}

// The most items between the arrows: two ends, two gaps, and the current page between its siblings.
const MAX_ITEMS = 7

// itemsOf returns the pages to show, and a key for each gap. The row has the same length on every page.
function itemsOf(page: number, pages: number): (number | 'gap before' | 'gap after')[] {
  if (pages <= MAX_ITEMS) return numbers(1, pages)
  if (page <= 4) return [...numbers(1, 5), 'gap after', pages]
  if (page >= pages - 3) return [1, 'gap before', ...numbers(pages - 4, pages)]
  return [1, 'gap before', ...numbers(page - 1, page + 1), 'gap after', pages]
}

const numbers = (from: number, to: number) => range(to - from + 1).map((i) => from + i)
