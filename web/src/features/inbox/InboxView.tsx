import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSearchParams } from 'react-router'
import { type ListInboxApiArg, useListInboxQuery } from '@/api'
import { errorText } from '@/api/error'
import { paths } from '@/routes/paths'
import { Button, type Elements, Field, Flex, NativeSelect, Panel, Stack } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'
import { useKeptFocus } from '@/ui/keptFocus'
import { ButtonLink } from '@/ui/links'
import { Listing } from '@/ui/lists'
import { LiveArea, useLiveRows } from '@/ui/live'
import { EmptyMessage, ErrorAlert } from '@/ui/messages'
import { GroupList } from './GroupList'
import { groupsOf, idOf, inboxAddress, inboxView } from './inboxView'
import { isKind, KINDS } from './sentences'
import { useMarkRead } from './useMarkRead'

const messages = { refused: msg`Failed to load the inbox`, unreachable: msg`Something went wrong while loading data` }

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
        query={groupsOf(query)}
        failed={<ErrorAlert text={errorText(query.error, messages)} onRetry={query.refetch} />}
        empty={
          <EmptyMessage
            title={isFiltered ? t`No notifications found.` : t`Your inbox is empty.`}
            hint={isFiltered ? t`Other filters may show more.` : t`What happens to your records appears here.`}
          />
        }
        pagination={<Steps view={view} next={query.currentData?.pagination.next ?? null} />}
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
  view: ListInboxApiArg
  show: (view: ListInboxApiArg) => void
  children: Elements
}

function Filters({ view: { unread, kind }, show, children }: FilterProps) {
  return (
    <Flex wrap="wrap" align="flex-end" gap="3">
      <Field.Root w="18rem" maxW="full">
        <Field.Label>
          <Trans>Kind</Trans>
        </Field.Label>
        <NativeSelect.Root>
          <NativeSelect.Field
            bg="bg.panel"
            value={kind ?? ''}
            onChange={({ currentTarget: { value } }) =>
              show({ ...(unread && { unread }), ...(isKind(value) && { kind: value }) })
            }
          >
            <option value="">{t`All kinds`}</option>
            {Object.entries(KINDS).map(([name, label]) => (
              <option key={name} value={name}>
                {i18n._(label)}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator>
            <ChevronDownIcon size={4} />
          </NativeSelect.Indicator>
        </NativeSelect.Root>
      </Field.Root>
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
function Steps({ view, next }: { view: ListInboxApiArg; next: string | null }) {
  const linkTo = (to: ListInboxApiArg) => {
    const query = new URLSearchParams(inboxAddress(to)).toString()
    return query ? `${paths.inbox}?${query}` : paths.inbox
  }
  if (!next && !view.before) return null
  return (
    <Flex as="nav" aria-label={t`Pages of the inbox`} justify="center" gap="3">
      {view.before && (
        <ButtonLink to={linkTo({ ...view, before: '' })} variant="outline" size="sm">
          <Trans>Newest</Trans>
        </ButtonLink>
      )}
      {next && (
        <ButtonLink to={linkTo({ ...view, before: next })} variant="outline" size="sm">
          <Trans>Older</Trans>
        </ButtonLink>
      )}
    </Flex>
  )
}
