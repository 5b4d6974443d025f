import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSearchParams } from 'react-router'
import { type ListInboxApiArg, useListInboxQuery } from '@/api'
import { QueryAlert } from '@/api/One'
import { paths } from '@/routes/paths'
import { Button, type Elements, Flex, Panel, Stack } from '@/ui'
import { choicesOf } from '@/ui/choices'
import { FilterSelect } from '@/ui/FilterSelect'
import { useKeptFocus } from '@/ui/keptFocus'
import { Listing } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage } from '@/ui/messages'
import { OlderPagination } from '@/ui/OlderPagination'
import { GroupList } from './GroupList'
import { idOf, inboxAddress, inboxView } from './inboxView'
import { KINDS } from './sentences'
import { useMarkRead } from './useMarkRead'

/** The whole inbox. The address has the filters and the page. */
export function InboxView() {
  const [address, setAddress] = useSearchParams()
  const view = inboxView(address)
  const query = useListInboxQuery(view, { refetchOnMountOrArgChange: true })
  const live = useLiveRows(query.currentData?.data, idOf, JSON.stringify(view))
  const show = (to: ListInboxApiArg) => setAddress(inboxAddress(to), { preventScrollReset: true })
  const isFiltered = view.unread || view.kind
  return (
    <Stack gap="4" {...useKeptFocus()}>
      <Filters view={view} show={show}>
        {/* Others than those of the filter and the page would be marked, too. */}
        {!view.kind && !view.before && <MarkAll newest={live.rows?.[0]?._id} />}
      </Filters>
      <Listing
        query={query}
        failed={<QueryAlert query={query} />}
        empty={
          <EmptyMessage
            title={isFiltered ? t`No notifications found.` : t`Your inbox is empty.`}
            hint={isFiltered ? t`Other filters may show more.` : t`What happens to your records appears here.`}
          />
        }
        pagination={
          <OlderPagination
            label={t`Pages of the inbox`}
            before={view.before}
            next={query.currentData?.pagination.next}
            linkTo={(before = '') => linkTo({ ...view, before })}
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

function linkTo(view: ListInboxApiArg): string {
  const query = new URLSearchParams(inboxAddress(view)).toString()
  return query ? `${paths.inbox}?${query}` : paths.inbox
}

interface FilterProps {
  view: ListInboxApiArg
  show: (view: ListInboxApiArg) => void
  children: Elements
}

function Filters({ view: { unread, kind }, show, children }: FilterProps) {
  return (
    <Flex wrap="wrap" align="flex-end" gap="3">
      <FilterSelect
        label={t`Kind`}
        w="18rem"
        value={kind ?? ''}
        choices={{ '': t`All kinds`, ...choicesOf(KINDS) }}
        onChoose={(kind) => show({ ...(unread && { unread }), ...(kind && { kind }) })}
      />
      <Button
        variant={unread ? 'solid' : 'outline'}
        aria-pressed={unread ?? false}
        onClick={() => show({ ...(kind && { kind }), ...(!unread && { unread: true }) })}
      >
        <Trans>Unread only</Trans>
      </Button>
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

/** Leads to older notifications, and back to the newest. */
