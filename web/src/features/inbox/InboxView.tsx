import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type NotificationKind, useListInboxQuery } from '@/api'
import { Listing } from '@/api/Listing'
import { paths } from '@/routes/paths'
import { Button, type Elements, Flex, Panel, Stack } from '@/ui'
import { useAddress } from '@/ui/address'
import { choicesOf } from '@/ui/choices'
import { ButtonLink } from '@/ui/links'
import { idOf } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { FilterSelect } from '@/ui/more/FilterSelect'
import { OlderPagination } from '@/ui/more/OlderPagination'
import { GroupList } from './GroupList'
import { inboxAddress, inboxRequest } from './queries'
import { KINDS } from './sentences'
import { useMarkRead } from './useMarkRead'

/** The whole inbox. The address has the filters and the page. */
export function InboxView() {
  const [view, show, linkTo] = useAddress(inboxAddress)
  const query = useListInboxQuery(inboxRequest(view), { refetchOnMountOrArgChange: true })
  const live = useLiveRows(query.currentData?.data, idOf, JSON.stringify(view))
  const isFiltered = view.unread || view.kind
  return (
    <Stack gap="4">
      <Filters view={view} show={show}>
        {/* Others than those of the filter and the page would be marked, too. */}
        {!view.kind && !view.before && <MarkAll newest={live.rows?.[0]?._id} />}
      </Filters>
      <Listing
        query={query}
        empty={
          <EmptyMessage
            title={isFiltered ? t`No notifications found.` : t`Your inbox is empty.`}
            hint={isFiltered ? t`Other filters may show more.` : t`What happens to your records appears here.`}
          >
            {!isFiltered && <ButtonLink to={paths.allMaps}>{t`Browse Maps`}</ButtonLink>}
          </EmptyMessage>
        }
        pagination={
          <OlderPagination
            label={t`Pages of the inbox`}
            before={view.before}
            next={query.currentData?.pagination.next}
            linkTo={(before = '') => linkTo({ before })}
          />
        }
      >
        {() => (
          <LiveArea live={live} waitingText={t`New notification: show`}>
            <Panel px="4">
              <GroupList groups={live.rows} skeletons={6} />
            </Panel>
          </LiveArea>
        )}
      </Listing>
    </Stack>
  )
}

interface FilterProps {
  view: { unread: boolean; kind: NotificationKind | '' }
  show: (change: Partial<FilterProps['view']>) => void
  children: Elements
}

function Filters({ view: { unread, kind }, show, children }: FilterProps) {
  return (
    <Flex wrap="wrap" align="flex-end" gap="3">
      <FilterSelect
        label={t`Kind`}
        w="18rem"
        value={kind}
        choices={{ '': t`All kinds`, ...choicesOf(KINDS) }}
        onChoose={(kind) => show({ kind })}
      />
      <Flex as="label" align="center" gap="2" minH="10" textStyle="sm">
        <input type="checkbox" checked={unread} onChange={({ target }) => show({ unread: target.checked })} />
        <Trans>Unread only</Trans>
      </Flex>
      {children}
    </Flex>
  )
}

function MarkAll({ newest }: { newest: string | undefined }) {
  const markRead = useMarkRead()
  return (
    <Button variant="outline" disabled={!newest} onClick={() => newest && markRead({ through: newest })}>
      <Trans>Mark all as read</Trans>
    </Button>
  )
}
