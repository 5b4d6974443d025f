import { plural, t } from '@lingui/core/macro'
import { useCountInboxQuery } from '@/api'
import { Badge, Box, Button, Popover, Spinner } from '@/ui'
import { BellIcon } from '@/ui/icons'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { NotLoaded } from '@/ui/more/NotLoaded'
import { useOpenOnPage } from '@/ui/useOpenOnPage'

const InboxMenu = lazyPart(() => import('./InboxMenu'), NotLoaded)

const MOST = 99
// For a browser that gets no events.
const ASK_AGAIN_MS = 5 * 60_000

/** The bell in the header with the number of unread groups. It opens the newest of them. */
export default function InboxButton() {
  const { data } = useCountInboxQuery(undefined, {
    pollingInterval: ASK_AGAIN_MS,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnReconnect: true,
  })
  const unread = data?.data.unread ?? 0
  return (
    <Popover.Root
      {...useOpenOnPage()}
      // The menu asks for the newest groups when it is mounted.
      unmountOnExit
      positioning={{ placement: 'bottom-end' }}
    >
      <Popover.Trigger asChild>
        <Button
          variant="ghost"
          px="1.5"
          position="relative"
          aria-label={unread > 0 ? plural(unread, { one: 'Inbox, # unread', other: 'Inbox, # unread' }) : t`Inbox`}
        >
          <BellIcon />
          {unread > 0 && (
            <Badge
              position="absolute"
              top="0"
              insetEnd="-1"
              size="xs"
              variant="solid"
              colorPalette="red"
              rounded="full"
            >
              {unread > MOST ? `${MOST}+` : unread}
            </Badge>
          )}
        </Button>
      </Popover.Trigger>
      <Popover.Content aria-label={t`Inbox`} w="min(24rem, calc(100vw - 1rem))">
        <Popover.Body maxH="max(18rem, min(80vh, var(--available-height)))" overflowY="auto">
          <LazyParts
            fallback={
              <Box p="6" textAlign="center">
                <Spinner aria-label={t`Loading...`} />
              </Box>
            }
          >
            <InboxMenu />
          </LazyParts>
        </Popover.Body>
      </Popover.Content>
    </Popover.Root>
  )
}
