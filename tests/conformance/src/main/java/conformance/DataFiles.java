package conformance;

import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.io.graphml.GraphMLWriter;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONWriter;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;

/**
 * DataFiles FOLDER: writes the two larger graphs that TinkerGraph carries as Kryo in files that any server can read,
 * grateful-dead.json (GraphSON 3, one vertex a line) and air-routes.graphml. All ids are longs.
 */
public final class DataFiles {
    private interface Writer {
        void write(Graph graph, OutputStream out) throws IOException;
    }

    public static void main(final String[] args) throws IOException {
        final Path folder = Files.createDirectories(Path.of(args[0]));
        final GraphSONMapper mapper = GraphSONMapper.build().version(GraphSONVersion.V3_0).create();
        write(folder.resolve("grateful-dead.json"), TinkerFactory::generateGratefulDead,
                (graph, out) -> GraphSONWriter.build().mapper(mapper).create().writeGraph(out, graph));
        write(folder.resolve("air-routes.graphml"), TinkerFactory::generateAirRoutes,
                (graph, out) -> GraphMLWriter.build().normalize(true).create().writeGraph(out, graph));
    }

    private static void write(final Path file, final Consumer<TinkerGraph> fill, final Writer writer) throws IOException {
        final Configuration settings = new BaseConfiguration();
        for (String id : new String[]{"vertexIdManager", "edgeIdManager", "vertexPropertyIdManager"})
            settings.setProperty("gremlin.tinkergraph." + id, "LONG");
        final TinkerGraph graph = TinkerGraph.open(settings);
        fill.accept(graph);
        final Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try (OutputStream out = Files.newOutputStream(unfinished)) {
            writer.write(graph, out);
        }
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        System.out.println(file + ": " + graph.getVerticesCount() + " vertices, " + graph.getEdgesCount() + " edges");
    }

    private DataFiles() {}
}
