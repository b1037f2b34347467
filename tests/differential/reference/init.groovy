// Fills the graphs when the server starts and publishes one traversal source for each: gmodern, gcrew, ggrateful, gair, gscratch0-3.
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory
import org.apache.tinkerpop.gremlin.structure.io.IoCore

def sources = [:]
sources.fill = [onStartUp: { ctx ->
    TinkerFactory.generateModern(modern)
    TinkerFactory.generateTheCrew(crew)
    TinkerFactory.generateGratefulDead(grateful)
    air.io(IoCore.graphml()).readGraph(System.getenv("REFERENCE_AIR"))
}] as LifeCycleHook
[modern: modern, crew: crew, grateful: grateful, air: air, scratch0: scratch0, scratch1: scratch1, scratch2: scratch2,
 scratch3: scratch3].each { name, target -> sources["g" + name] = traversal().withEmbedded(target) }
sources
