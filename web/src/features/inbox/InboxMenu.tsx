import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useCountInboxQuery, useListInboxQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { paths } from '@/routes/paths'
import { Button, Flex, Popover, Stack } from '@/ui'
import { ButtonLink } from '@/ui/links'
import { idOf } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { GroupList } from './GroupList'
import { NEWEST_GROUPS } from './queries'
import { useMarkRead } from './useMarkRead'

/** The newest notifications, under the bell. */
export default function InboxMenu() {
  const query = useListInboxQuery(NEWEST_GROUPS, { refetchOnMountOrArgChange: true })
  const live = useLiveRows(query.currentData?.data, idOf, 'newest')
  const markRead = useMarkRead()
  const newest = live.rows?.[0]
  // Groups that are older than those shown may be unread.
  const unread = useCountInboxQuery().data?.data.unread ?? 0
  return (
    <Stack gap="2">
      <Flex align="center" justify="space-between" gap="3">
        <Popover.Title fontWeight="bold" textStyle="md">{t`Inbox`}</Popover.Title>
        <Button
          size="xs"
          variant="ghost"
          disabled={!newest || unread === 0}
          onClick={() => newest && markRead({ through: newest._id })}
        >
          <Trans>Mark all as read</Trans>
        </Button>
      </Flex>
      <Listing
        query={query}
        empty={<EmptyMessage title={t`Your inbox is empty.`} hint={t`What happens to your records appears here.`} />}
      >
        {() => (
          <LiveArea live={live} waitingText={t`New notification: show`}>
            <GroupList groups={live.rows} skeletons={3} />
          </LiveArea>
        )}
      </Listing>
      <ButtonLink to={paths.inbox} size="sm" variant="outline">{t`See all`}</ButtonLink>
    </Stack>
  )
}
