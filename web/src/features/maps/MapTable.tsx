import { Badge, Flex, Skeleton, Table, Text } from '@chakra-ui/react'
import { useNavigate } from 'react-router'
import type { Map as ParkourMap } from '@/shared/api'
import { Avatar } from '@/shared/components/Avatar'
import { TableFrame } from '@/shared/components/TableFrame'
import { TextLink } from '@/shared/components/TextLink'
import { formatDate } from '@/shared/lib/dates'

const TAGS_SHOWN = 2

interface Props {
  // Undefined while they load.
  maps: ParkourMap[] | undefined
  skeletonRows: number
}

// MapTable is the list view of a search. A click anywhere on a row opens the leaderboard; for keyboards and screen
// readers the name is a link.
export function MapTable({ maps, skeletonRows }: Props) {
  return (
    <TableFrame label="Maps" busy={!maps}>
      <Table.Header>
        <Table.Row>
          {['Map', 'Author', 'Mode', 'Tags', 'Created'].map((title) => (
            <Table.ColumnHeader key={title}>{title}</Table.ColumnHeader>
          ))}
        </Table.Row>
      </Table.Header>
      <Table.Body>
        {maps
          ? maps.map((map) => <MapRow key={map._id} map={map} />)
          : Array.from({ length: skeletonRows }, (_, i) => i).map((i) => <SkeletonRow key={i} />)}
      </Table.Body>
    </TableFrame>
  )
}

function MapRow({ map }: { map: ParkourMap }) {
  const navigate = useNavigate()
  const hidden = map.tags.slice(TAGS_SHOWN)
  return (
    <Table.Row
      h="14"
      cursor="pointer"
      _hover={{ bg: 'bg.muted' }}
      onClick={() => navigate(`/leaderboard/${map._id}`)}
    >
      <Table.Cell fontWeight="semibold">
        <TextLink to={`/leaderboard/${map._id}`} onClick={(event) => event.stopPropagation()}>
          {map.name}
        </TextLink>
      </Table.Cell>
      <Table.Cell>
        <Flex align="center" gap="2">
          <Avatar player={map.author} size={6} />
          {map.author.name}
        </Flex>
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap">
        <Badge colorPalette="brand">{map.gameMode}</Badge>
      </Table.Cell>
      <Table.Cell>
        <Flex gap="1" align="center">
          {map.tags.slice(0, TAGS_SHOWN).map((tag) => (
            <Badge key={tag} variant="outline">
              {tag}
            </Badge>
          ))}
          {hidden.length > 0 && (
            <Text as="span" textStyle="xs" color="fg.muted" title={hidden.join(', ')}>
              +{hidden.length}
            </Text>
          )}
        </Flex>
      </Table.Cell>
      <Table.Cell whiteSpace="nowrap" color="fg.muted">
        {formatDate(map.createdAt)}
      </Table.Cell>
    </Table.Row>
  )
}

function SkeletonRow() {
  return (
    <Table.Row h="14" aria-hidden="true">
      {[0, 1, 2, 3, 4].map((i) => (
        <Table.Cell key={i}>
          <Skeleton h="5" w="75%" />
        </Table.Cell>
      ))}
    </Table.Row>
  )
}
