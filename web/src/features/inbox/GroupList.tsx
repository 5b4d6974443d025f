import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { InboxGroup } from '@/api'
import { formatTime } from '@/entities/record/raceTime'
import { Badge, Box, Flex, HStack, IconButton, Skeleton, Stack, styled, VisuallyHidden } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DAY_MS, DateTime } from '@/ui/format'
import { CheckIcon } from '@/ui/icons'
import { PageLink } from '@/ui/links'
import { range } from '@/ui/lists'
import { Ago } from '@/ui/more/Ago'
import { TextWithNames } from '@/ui/TextWithNames'
import { GroupSentence } from './GroupSentence'
import { appealOf, linkOf, placesOf, pointsOf, sentenceOf, timesOf } from './sentences'
import { useMarkRead } from './useMarkRead'

interface Props {
  /** Undefined while they load. */
  groups: InboxGroup[] | undefined
  skeletons: number
}

/** Notifications in their groups, the newest first. */
export function GroupList({ groups, skeletons }: Props) {
  if (!groups) {
    return (
      <Stack gap="2" py="2" aria-busy="true">
        {range(skeletons).map((i) => (
          <Skeleton key={i} h="12" />
        ))}
      </Stack>
    )
  }
  return (
    <DividedList aria-label={t`Notifications in the inbox`}>
      {groups.map((group) => (
        <GroupItem key={group._id} group={group} />
      ))}
    </DividedList>
  )
}

/** What happened, with a link to it, which marks it as read, and a button that only does that. */
function GroupItem({ group }: { group: InboxGroup }) {
  const { _id, read, removedSince } = group
  const markRead = useMarkRead()
  const appeal = appealOf(group)
  return (
    <Flex as="li" align="flex-start" gap="3" py="3" px="1">
      <Box
        flexShrink="0"
        boxSize="2"
        mt="2"
        rounded="full"
        bg={read ? 'transparent' : 'red.solid'}
        role={read ? undefined : 'img'}
        aria-label={read ? undefined : t`Unread`}
      />
      <Stack gap="1" flex="1" minW="0">
        <Sentence group={group} onOpen={() => !read && void markRead({ group: _id })} />
        <HStack gap="2" flexWrap="wrap" textStyle="xs" color="fg.muted">
          <Moment iso={group.at} />
          <Details group={group} />
          {appeal && (
            <PageLink to={appeal} variant="underline" onClick={() => !read && void markRead({ group: _id })}>
              <Trans>Appeal against the decision</Trans>
            </PageLink>
          )}
          {removedSince && <Badge>{t`Removed since`}</Badge>}
        </HStack>
      </Stack>
      {!read && (
        <IconButton
          size="xs"
          variant="ghost"
          aria-label={t`Mark as read: ${sentenceOf(group)}`}
          title={t`Mark as read`}
          onClick={() => markRead({ group: _id })}
        >
          <CheckIcon size={4} />
        </IconButton>
      )}
    </Flex>
  )
}

function Sentence({ group, onOpen }: { group: InboxGroup; onOpen: () => void }) {
  const to = linkOf(group)
  const sentence = <GroupSentence group={group} />
  const style = {
    textStyle: 'sm',
    fontWeight: group.read ? 'normal' : 'semibold',
    textDecoration: group.removedSince ? 'line-through' : undefined,
  } as const
  if (!to) return <styled.span {...style}>{sentence}</styled.span>
  return (
    // A click of the middle button opens it in another tab.
    <PageLink to={to} color="inherit" {...style} onClick={onOpen} onAuxClick={({ button }) => button === 1 && onOpen()}>
      {sentence}
    </PageLink>
  )
}

/** The time of the record, and how the place and the points of the receiver changed. */
function Details({ group }: { group: InboxGroup }) {
  const times = timesOf(group)
  const places = placesOf(group)
  const points = pointsOf(group)
  return (
    <>
      {times && (
        <span>
          <VisuallyHidden>{t`Time:`}</VisuallyHidden>{' '}
          <TextWithNames
            text={times}
            names={[group.finishTime, group.ownFinishTime].map((ms) => (ms === null ? null : formatTime(ms)))}
          />
        </span>
      )}
      {places && <span>{places}</span>}
      {points && <span>{points}</span>}
    </>
  )
}

/** How long ago something happened, or on which day. */
function Moment({ iso }: { iso: string }) {
  const [now] = useState(Date.now)
  return now - Date.parse(iso) < DAY_MS ? <Ago iso={iso} /> : <DateTime iso={iso} />
}
