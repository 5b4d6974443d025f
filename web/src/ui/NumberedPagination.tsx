import { Pagination } from '@ark-ui/react/pagination'
import { t } from '@lingui/core/macro'
import { Button, Flex, IconButton, Text } from './basics'
import { ArrowLeftIcon, ArrowRightIcon } from './icons'
import type { PaginationProps } from './lists'

/** Numbered pages with one sibling on each side of the current one. It is absent where everything fits on one page. */
export function NumberedPagination({ page, pages, label, onPage }: PaginationProps) {
  if (pages <= 1) return null
  return (
    <Pagination.Root
      count={pages}
      pageSize={1}
      page={page}
      translations={{ rootLabel: label, itemLabel: ({ page }) => t`Page ${page}` }}
      onPageChange={({ page }) => onPage(page)}
    >
      <Flex justify="center" align="center" wrap="wrap" gap={{ base: '0', sm: '1' }} mt="4">
        <Pagination.PrevTrigger asChild>
          <IconButton variant="ghost" minW={{ base: '9', sm: '10' }} aria-label={t`Previous page`}>
            <ArrowLeftIcon />
          </IconButton>
        </Pagination.PrevTrigger>
        <Pagination.Context>
          {({ pages }) =>
            pages.map((item, i) =>
              item.type === 'page' ? (
                <Pagination.Item key={item.value} asChild {...item}>
                  <Button
                    variant={item.value === page ? 'solid' : 'ghost'}
                    minW={{ base: '9', sm: '10' }}
                    px={{ base: '1', sm: '2' }}
                  >
                    {item.value}
                  </Button>
                </Pagination.Item>
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: an ellipsis has no other key
                <Pagination.Ellipsis key={`ellipsis ${i}`} index={i} asChild>
                  <Text aria-hidden="true">…</Text>
                </Pagination.Ellipsis>
              ),
            )
          }
        </Pagination.Context>
        <Pagination.NextTrigger asChild>
          <IconButton variant="ghost" minW={{ base: '9', sm: '10' }} aria-label={t`Next page`}>
            <ArrowRightIcon />
          </IconButton>
        </Pagination.NextTrigger>
      </Flex>
    </Pagination.Root>
  )
}
