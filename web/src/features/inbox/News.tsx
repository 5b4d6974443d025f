import { t } from '@lingui/core/macro'
import { useListInboxQuery } from '@/api'
import { paths } from '@/routes/paths'
import { Flex, Skeleton, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { PageLink } from '@/ui/links'
import { Ago } from '@/ui/more/Ago'
import { SmallPart } from '@/ui/more/SmallPart'
import { GroupSentence } from './GroupSentence'
import { linkOf } from './sentences'

const ROWS = 3

/** The newest notifications that are not read yet. */
export default function News() {
  const { currentData, error } = useListInboxQuery({ unread: true, limit: ROWS })
  const groups = currentData?.data.slice(0, ROWS)
  return (
    <SmallPart title={t`News for you`} aside={<PageLink to={paths.inbox} textStyle="sm">{t`See all`}</PageLink>}>
      {groups && groups.length > 0 ? (
        <DividedList textStyle="sm">
          {groups.map((group) => (
            <Flex as="li" key={group._id} justify="space-between" gap="3" py="1.5">
              <PageLink to={linkOf(group) ?? paths.inbox} color="inherit">
                <GroupSentence group={group} />
              </PageLink>
              <Text as="span" textStyle="xs" color="fg.muted" whiteSpace="nowrap">
                <Ago iso={group.at} />
              </Text>
            </Flex>
          ))}
        </DividedList>
      ) : groups || error ? (
        <Text color="fg.muted">{t`You have read everything.`}</Text>
      ) : (
        <Skeleton h="24" />
      )}
    </SmallPart>
  )
}
