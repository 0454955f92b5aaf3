// SPICE 1.0's own graphs and counts over given tuples and synsets: a case of JSON on each line in, its evaluations out. Run as a
// source file by Java, beside the jars of pycocoevalcap.
//
// The program keeps nodes and attributes in the order of their addresses, which varies from run to run; here they keep the order
// of insertion, which is one of its possible orders.

import edu.anu.spice.Evaluation;
import edu.anu.spice.SceneGraph;
import edu.anu.spice.SceneGraphNode;
import edu.anu.spice.SemanticConcept;
import edu.anu.spice.SpiceStats;
import edu.anu.spice.TupleFilter;
import edu.stanford.nlp.graph.DirectedMultiGraph;
import edu.stanford.nlp.util.MapFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.json.simple.*;

public class Driver {
    static class Graph extends SceneGraph {
        private final JSONObject synsets;

        Graph(JSONObject synsets, boolean merge) throws Exception {
            super(null, merge);
            this.synsets = synsets;
            MapFactory linked = MapFactory.linkedHashMapFactory();
            field(SceneGraph.class, "graph").set(this, new DirectedMultiGraph(linked, linked));
        }

        @Override
        protected Set<Integer> getSynSets(String word) {
            Object ids = synsets.get(word.trim().toLowerCase().replace(" ", "_"));
            Set<Integer> found = new HashSet<>();
            if (ids != null) for (Object id : (JSONArray) ids) found.add(((Long) id).intValue());
            return found;
        }

        @Override
        protected SceneGraphNode getOrAddNode(SemanticConcept concept) {
            SceneGraphNode node = super.getOrAddNode(concept);
            try {
                Field attributes = field(SceneGraphNode.class, "attributes");
                if (!(attributes.get(node) instanceof LinkedHashSet)) attributes.set(node, new LinkedHashSet<>());
            } catch (ReflectiveOperationException error) {
                throw new IllegalStateException(error);
            }
            return node;
        }

        Graph with(JSONArray tuples) {
            for (Object given : tuples) {
                JSONArray tuple = (JSONArray) given;
                String first = (String) tuple.get(0);
                switch (tuple.size()) {
                    case 1 -> addObject(first);
                    case 2 -> addAttribute(first, (String) tuple.get(1));
                    // Subject, object, relation.
                    default -> addRelation(first, (String) tuple.get(2), (String) tuple.get(1));
                }
            }
            return this;
        }
    }

    static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    static String bits(double value) {
        return Long.toUnsignedString(Double.doubleToLongBits(value));
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, TupleFilter> filters = new HashMap<>();
        filters.put("Object", TupleFilter.objectFilter);
        filters.put("Attribute", TupleFilter.attributeFilter);
        filters.put("Relation", TupleFilter.relationFilter);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line; (line = lines.readLine()) != null; ) {
            JSONObject question = (JSONObject) JSONValue.parseWithException(line);
            JSONObject synsets = (JSONObject) question.get("synsets");
            boolean merge = (Boolean) question.get("similar");
            Graph hypothesis = new Graph(synsets, merge).with((JSONArray) question.get("hypothesis"));
            Graph reference = new Graph(synsets, merge).with((JSONArray) question.get("reference"));
            SpiceStats stats = new SpiceStats(filters, false);
            stats.score(1, hypothesis, reference, merge);
            List<?> all = (List<?>) field(SpiceStats.class, "scores").get(stats);
            Map<?, ?> scores = (Map<?, ?>) all.get(0);
            StringJoiner answer = new StringJoiner(",", "[", "]");
            for (String category : new String[] {"All", "Object", "Attribute", "Relation"}) {
                Evaluation found = (Evaluation) scores.get(category);
                answer.add("[" + bits(found.f) + "," + bits(found.pr) + "," + bits(found.re) + "]");
            }
            Evaluation found = (Evaluation) scores.get("All");
            answer.add("[" + found.tp + "," + (found.tp + found.fp) + "," + (found.tp + found.fn) + "]");
            out.println(answer);
        }
        out.flush();
    }
}
